/**
 * Generated requests against the real service: no 5xx, and no response outside the description. Every run sends the
 * same requests; override with SCHEMATHESIS_SEED=<n>.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runAllOfSchemathesis } from '../../support/stack/schemathesis.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';

const seed = Number(process.env.SCHEMATHESIS_SEED ?? 1);

let stack: TestStack;

beforeAll(async () => {
  stack = await startStack({ parts: ['rail', 'api', 'worker', 'identity'] });
});
afterAll(() => stack?.stop());

test('1,200 generated requests get neither a 5xx nor an undescribed response', async () => {
  const requests = () => stack.part('api').lines.filter((line) => line.includes('"msg":"request"')).length;
  process.stderr.write(`schemathesis: SCHEMATHESIS_SEED=${seed}\n`);
  await runAllOfSchemathesis(stack, 50, seed, () => requests() >= 1_200);
  expect(requests()).toBeGreaterThanOrEqual(1_200);
}, 1_200_000);
