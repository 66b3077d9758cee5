/**
 * For every operation there is a file whose tests see all of its own answers: `seesEveryAnswerOf` fails there when one
 * was not given, and is missed here when it is not there at all.
 */
import { expect, test } from '@jest/globals';
import { files, read } from '../docs/documents.ts';
import { routes } from '../support/api-description.ts';

test('every operation of the API description has a file that sees every answer of it', () => {
  const tests = files.filter((path) => /^test\/.*\.test\.ts$/.test(path)).map(read);
  const claims = tests.flatMap((text) => [...text.matchAll(/^seesEveryAnswerOf\(([^)]*)\);$/gm)]);
  const claimed = claims.flatMap(([, names = '']) => [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name));
  expect(claimed.sort()).toEqual(routes.map(({ describe }) => describe.operationId).sort());
});
