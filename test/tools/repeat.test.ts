import { describe, expect, test } from '@jest/globals';
import { toRepeat, WITH_A_TIME, withRepeated } from '../../tools/test/repeat.ts';
import type { JestResults } from '../../tools/test/results.ts';
import type { PromiseName } from '../faults/checker/promises.ts';

type Outcomes = Readonly<Record<string, 'passed' | 'failed' | 'pending'>>;

/** By file, then by test. A file without tests could not be loaded. */
function results(files: Readonly<Record<string, Outcomes>>): JestResults {
  const testResults = Object.entries(files).map(([file, outcomes]) => {
    const tests = Object.entries(outcomes);
    const failed = tests.length === 0 || tests.some(([, status]) => status === 'failed');
    return {
      name: `/project/${file}`,
      status: failed ? 'failed' : 'passed',
      startTime: 0,
      endTime: 1,
      assertionResults: tests.map(([fullName, status]) => ({ fullName, status })),
    };
  });
  const count = (wanted: string) =>
    testResults.flatMap((file) => file.assertionResults).filter(({ status }) => status === wanted).length;
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending'),
    numTodoTests: 0,
    numRuntimeErrorTestSuites: testResults.filter((file) => file.assertionResults.length === 0).length,
    success: testResults.every(({ status }) => status === 'passed'),
    testResults,
  };
}

describe('the files to repeat', () => {
  test('include failed files', () => {
    const first = results({ 'test/a.test.ts': { one: 'failed' }, 'test/b.test.ts': { one: 'passed' } });
    expect(toRepeat(first, '/project')).toEqual(['test/a.test.ts']);
  });

  test('exclude files that generate random input', () => {
    const first = results({
      'test/full/faults/planted-code.test.ts': { seed: 'failed' },
      'test/full/faults/clocks.test.ts': { clock: 'failed' },
    });
    expect(toRepeat(first, '/project')).toEqual(['test/full/faults/clocks.test.ts']);
  });

  const withSeeds = ['storm', 'seeds'].map((name) => `test/full/faults/${name}.test.ts`);
  const brokenIn = (file: string, promise: PromiseName): JestResults => {
    const first = results({ [file]: { run: 'failed' } });
    const message = `\u001b[31m+       "promise": "${promise}",\u001b[39m`;
    const testResults = first.testResults.map((each) => ({
      ...each,
      assertionResults: each.assertionResults.map((test) => ({ ...test, failureMessages: [message] })),
    }));
    return { ...first, testResults };
  };

  test.each(withSeeds)('exclude %s if it broke a promise that has no time limit', (file) => {
    expect(toRepeat(brokenIn(file, 'one refund per key'), '/project')).toEqual([]);
  });

  // The type checker compares the names with those of the storm's checker.
  test.each(WITH_A_TIME)('include a run that broke "%s"', (promise) => {
    for (const file of withSeeds) expect(toRepeat(brokenIn(file, promise), '/project')).toEqual([file]);
  });

  test('include none if more than four failed', () => {
    const files = Array.from({ length: 5 }, (_, n) => [`test/${n}.test.ts`, { one: 'failed' }] as const);
    expect(toRepeat(results(Object.fromEntries(files)), '/project')).toEqual([]);
  });
});

describe('the results of both runs', () => {
  const first = results({
    'test/a.test.ts': { one: 'failed', two: 'passed' },
    'test/b.test.ts': { one: 'passed', two: 'pending' },
  });

  test('a file that passes the second time counts as passed, and lists its failed tests', () => {
    const both = withRepeated(first, results({ 'test/a.test.ts': { one: 'passed', two: 'passed' } }));
    expect(both).toMatchObject({ numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, success: true });
    expect(both.testResults[0]).toMatchObject({ flaky: ['one'] });
    expect(both.testResults[1]).not.toHaveProperty('flaky');
  });

  test('a file that fails twice has failed, whichever test it was', () => {
    const both = withRepeated(first, results({ 'test/a.test.ts': { one: 'passed', two: 'failed' } }));
    expect(both).toMatchObject({ numPassedTests: 2, numFailedTests: 1, success: false });
  });

  test('a file that could not be loaded the second time counts as a failure', () => {
    const both = withRepeated(first, results({ 'test/a.test.ts': {} }));
    expect(both).toMatchObject({ numFailedTests: 0, numRuntimeErrorTestSuites: 1, success: false });
  });
});
