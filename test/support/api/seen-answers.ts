/** The responses of each operation that a file's tests have seen. */
import { expect, test } from '@jest/globals';
import { type Answerable, commonErrors } from '../../../contract/openapi/common-errors.ts';
import { codesByStatus } from '../../../contract/openapi/error-answers.ts';
import { routes } from './api-description.ts';

/** By test file: files in one process share this module (test/runner/runtime.ts). */
const seenIn = new Map<string | undefined, Set<string>>();

function seen(): Set<string> {
  const { testPath } = expect.getState();
  const names = seenIn.get(testPath) ?? new Set();
  seenIn.set(testPath, names);
  return names;
}

/** Called for every response that a server sent; nothing else counts as seen. */
export function noteAnswer(operationId: string, status: number, code: string | null): void {
  seen().add(nameOf(operationId, status, code));
}

function nameOf(operationId: string, status: number, code: string | null): string {
  return `${operationId} ${status}${code ? ` ${code}` : ''}`;
}

function operationCalled(operationId: string): Answerable {
  const route = routes.find(({ describe }) => describe.operationId === operationId);
  if (!route) throw new Error(`there is no operation ${operationId}`);
  return { ...route.describe, path: route.path };
}

/** The operation's own responses in the description: its successes, and the errors that are not common ones. */
function ownAnswers(operationId: string): readonly string[] {
  const operation = operationCalled(operationId);
  const common = new Set(commonErrors(operation));
  return [
    ...Object.keys(operation.answers).map((status) => nameOf(operationId, Number(status), null)),
    ...refusals(operationId)
      .filter(({ code }) => !common.has(code) || code === operation.failureCode)
      .map(({ name }) => name),
  ];
}

/** Errors that the operation shares with other operations. */
export function commonAnswers(operationId: string): readonly string[] {
  const operation = operationCalled(operationId);
  const common = new Set(commonErrors(operation));
  return refusals(operationId)
    .filter(({ code }) => common.has(code) && code !== operation.failureCode)
    .map(({ name }) => name);
}

function refusals(operationId: string) {
  return [...codesByStatus(operationCalled(operationId))].flatMap(([status, codes]) =>
    codes.map((code) => ({ code, name: nameOf(operationId, status, code) })),
  );
}

export function notSeen(names: readonly string[]): readonly string[] {
  return names.filter((name) => !seen().has(name));
}

/**
 * Declares a test for the end of a file: its tests have seen every response that the description of these operations
 * lists. Responses common to all routes are covered by `test/api/http/every-route.test.ts`.
 */
export function seesEveryAnswerOf(...operationIds: readonly string[]): void {
  test.each(operationIds)('the tests have seen every response of %s', (operationId) => {
    expect(notSeen(ownAnswers(operationId))).toEqual([]);
  });
}
