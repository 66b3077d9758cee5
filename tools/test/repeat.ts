/**
 * In CI, a file that failed runs again, alone. If it passes then, it counts as passed and the last lines list it
 * as flaky: two cores that start twelve servers delay a test beyond its time-out, and one such delay in an hour of
 * tests must not block a change. A file that fails twice has failed. Tests with random input are never repeated
 * (planted faults, the model): the second run would hide what the first one found. A storm or a stored seed is
 * repeated only if every promise that it broke has a time limit, which a busy machine can miss.
 */
import { relative } from 'node:path';
import type { JestResults } from './results.ts';

const NEVER_REPEATED = /^test\/full\/(faults\/planted-code|model\/|arrivals\/)/;
/** Matches a broken promise in the storm test's failure message. */
const PROMISE = /"promise": "([^"]+)"/g;
/** Names of the storm's checks with a time limit, which a slow machine may exceed. */
export const WITH_A_TIME = [
  'a retry completes a failed request',
  'every event reaches its endpoint',
  'no activity keeps failing',
  'every alert clears',
  'no workflow task keeps failing',
  'nothing is unfinished past its deadline',
] as const;
/** More failures than this are a defect, not a delay. */
const FILES_AT_MOST = 4;

/** @returns paths relative to the project's root */
export function toRepeat({ testResults }: JestResults, project: string): readonly string[] {
  const withATime: ReadonlySet<string> = new Set(WITH_A_TIME);
  const failed = testResults.filter(({ status }) => status === 'failed');
  if (failed.length > FILES_AT_MOST) return [];
  return failed
    .filter((file) => promisesBrokenIn(file).every((promise) => withATime.has(promise)))
    .map(({ name }) => relative(project, name))
    .filter((file) => !NEVER_REPEATED.test(file));
}

function promisesBrokenIn({ assertionResults }: JestResults['testResults'][number]): readonly string[] {
  const messages = assertionResults.flatMap(({ failureMessages = [] }) => failureMessages);
  return messages.flatMap((message) => [...message.matchAll(PROMISE)].map(([, promise]) => promise ?? ''));
}

/** The results of the first run, with those of the repeated files replaced. */
export function withRepeated(first: JestResults, repeated: JestResults | undefined): JestResults {
  if (!repeated) return first;
  const testResults = first.testResults.map((file) => {
    const again = repeated.testResults.find(({ name }) => name === file.name);
    if (!again) return file;
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    return { ...again, flaky: failed.map(({ fullName }) => fullName) };
  });
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const withStatus = (...statuses: readonly string[]) =>
    tests.filter(({ status }) => statuses.includes(status)).length;
  const notRun = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    numPassedTests: withStatus('passed'),
    numFailedTests: withStatus('failed'),
    numPendingTests: withStatus('pending', 'skipped', 'disabled'),
    numTodoTests: withStatus('todo'),
    numRuntimeErrorTestSuites: notRun.length,
    success: testResults.every(({ status }) => status !== 'failed'),
    testResults,
  };
}
