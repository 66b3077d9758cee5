/** The model of a session is explored exhaustively, and finds each gap that a rule closes. @needs spin */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const run = promisify(execFile);
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'checkout-model-'));
  await copyFile(join(import.meta.dirname, 'session.pml'), join(dir, 'session.pml'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** @returns the checker's output: every state was seen, or the first violation */
async function explore(...without: readonly string[]): Promise<string> {
  await run('spin', ['-a', ...without.map((name) => `-D${name}`), 'session.pml'], { cwd: dir });
  await run('cc', ['-O2', '-w', '-DSAFETY', '-DCOLLAPSE', '-o', 'pan', 'pan.c'], { cwd: dir });
  // -E: the model itself decides whether a process waits forever.
  const { stdout } = await run('./pan', ['-E', '-m200000'], { cwd: dir });
  return stdout;
}

test('no interleaving of steps, crashes, lost and repeated calls and a restore breaks a promise', async () => {
  const said = await explore();
  expect(said).toMatch(/errors: 0/);
  expect(said).not.toMatch(/max search depth too small/);
  expect(Number(/(\d+) states, stored/.exec(said)?.[1])).toBeGreaterThan(1_000_000);
}, 300_000);

test.each([
  ['the mark before the call (rule 3)', 'NO_MARK'],
  ['the wait after notFound (rule 4)', 'NOT_FOUND_IS_NO'],
  ['the fence after a restore (rule 29)', 'NO_FENCE'],
  ["the rail's idempotency for a call that arrives twice", 'CHARGES_AGAIN'],
  ['the look-up before a return (rule 34)', 'RETURNS_UNASKED'],
  ['a second check of the charge to return (rule 29)', 'RETURNS_WHAT_WAS'],
])(
  'without %s the model finds a broken promise',
  async (_what, name) => {
    expect(await explore(name)).toMatch(/assertion violated/);
  },
  60_000,
);
