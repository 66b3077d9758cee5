/**
 * Generated requests against the real service: no 5xx, and no answer outside the description. `SCHEMATHESIS_SEED=<n>`
 * generates others.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runAllOfSchemathesis } from '../../support/stack/schemathesis.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';

const SEED = Number(process.env.SCHEMATHESIS_SEED ?? 2);

let stack: TestStack;

beforeAll(async () => {
  stack = await startStack({ parts: ['rail', 'api', 'worker', 'identity'] });
}, 120_000);
afterAll(() => stack?.stop());

test('five thousand requests find nothing', async () => {
  const requests = () => stack.part('api').lines.filter((line) => line.includes('"msg":"request"')).length;
  await runAllOfSchemathesis(stack, 220, SEED, () => requests() >= 5_000);
  expect(requests()).toBeGreaterThanOrEqual(5_000);
}, 600_000);
