/**
 * The clients retry as docs/contract.md advises; packages/scenario.json proves it.
 * @reads docs packages
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

const read = (path: string) => readFile(join(PROJECT_DIR, path), 'utf8');

/** The numbers in the pattern's only match. */
function numbersAt(text: string, pattern: RegExp): readonly number[] {
  const captured = [...text.matchAll(new RegExp(pattern, 'g'))].map(([, found = '']) => found);
  expect([pattern, captured]).toEqual([pattern, [expect.any(String)]]);
  return (captured[0]?.replaceAll('_', '').match(/[\d.]+/g) ?? []).map(Number);
}

async function advice() {
  const line = /^- \*\*Retrying, .*$/m.exec(await read('docs/contract.md'))?.[0] ?? '';
  return {
    attempts: line.includes('at most three attempts') ? [3] : [],
    firstWaitMs: numbersAt(line, /(\d+) ms before the second, then doubled/),
    longestWaitSeconds: numbersAt(line, /more than (\d+) seconds is left to the caller/),
    neverStarted: numbersAt(line, /Any request may be retried after ([\d and]+),/),
    transient: numbersAt(line, /After ([\d, ]+), a lost connection or a time-out/),
  };
}

test('the client for JavaScript retries as the contract advises', async () => {
  const text = await read('packages/node/src/caller.ts');
  const { longestWaitSeconds, ...rest } = await advice();
  expect({
    attempts: numbersAt(text, /#options\.maxAttempts \?\? (\d)/),
    firstWaitMs: numbersAt(text, /FIRST_WAIT_MS = (\d+);/),
    longestWaitMs: numbersAt(text, /LONGEST_WAIT_MS = ([\d_]+);/),
    neverStarted: numbersAt(text, /NEVER_STARTED.* = new Set\((.*)\)/),
    transient: numbersAt(text, /TRANSIENT.* = new Set\((.*)\)/),
  }).toEqual({ ...rest, longestWaitMs: longestWaitSeconds.map((seconds) => seconds * 1_000) });
});

test('the client for Python retries as the contract advises', async () => {
  const text = await read('packages/python/src/hosted_checkout/_requests.py');
  const caller = await read('packages/python/src/hosted_checkout/_caller.py');
  const attempts = [...caller.matchAll(/max_attempts: int = (\d)/g)].map(([, number]) => Number(number));
  const { firstWaitMs, attempts: advised, ...rest } = await advice();
  expect(attempts).toEqual([...advised, ...advised]);
  expect({
    firstWait: numbersAt(text, /FIRST_WAIT = ([\d.]+)\n/),
    longestWaitSeconds: numbersAt(text, /LONGEST_WAIT = ([\d.]+)\n/),
    neverStarted: numbersAt(text, /NEVER_STARTED = frozenset\((.*)\)/),
    transient: numbersAt(text, /TRANSIENT = frozenset\((.*)\)/),
  }).toEqual({ ...rest, firstWait: firstWaitMs.map((ms) => ms / 1_000) });
});
