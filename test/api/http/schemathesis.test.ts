/** Made-up requests against the real service: no 5xx, and no answer that the description does not allow. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runAllOfSchemathesis } from '../../support/schemathesis.ts';
import { startStack, type TestStack } from '../../support/stack.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startStack({ parts: ['rail', 'api', 'worker', 'identity'] });
}, 120_000);
afterAll(() => stack?.stop());

test('a short run finds nothing', async () => {
  await runAllOfSchemathesis(stack, 25, 1);
  const requests = stack.part('api').lines.filter((line) => line.includes('"msg":"request"'));
  expect(requests.length).toBeGreaterThan(200);
}, 300_000);
