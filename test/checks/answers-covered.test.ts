/**
 * Every operation has a test file that calls `seesEveryAnswerOf` for it, which fails if a described response was not
 * seen. This test fails if the call is missing.
 */
import { expect, test } from '@jest/globals';
import { files, read } from '../docs/documents.ts';
import { routes } from '../support/api/api-description.ts';

test('every operation of the API description has a test file that covers all of its responses', () => {
  const tests = files.filter((path) => /^test\/.*\.test\.ts$/.test(path)).map(read);
  const claims = tests.flatMap((text) => [...text.matchAll(/^seesEveryAnswerOf\(([^)]*)\);$/gm)]);
  const claimed = claims.flatMap(([, names = '']) => [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name));
  expect(claimed.sort()).toEqual(routes.map(({ describe }) => describe.operationId).sort());
});
