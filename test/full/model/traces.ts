/** Replays the model's traces as messages to a real session. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A step printed by the model: the event, its attempt, and the session's state afterwards. */
export interface Step {
  readonly what: string;
  readonly attempt: number;
  readonly session: string;
}

const LINE = /^(\w+) (\d) (created|processing|succeeded|failed)$/;

/** Simulates without a restore, which needs the whole service (test/faults/restore-mode.test.ts). */
export async function simulate(seed: number): Promise<readonly Step[]> {
  // Spread, because simulations with neighbouring seeds begin alike.
  const n = (BigInt(seed) * 382_250_449n) % 2_147_483_647n;
  const file = join(import.meta.dirname, 'session.pml');
  const { stdout } = await run('spin', ['-T', `-n${n}`, '-DNO_RESTORE', '-DSIMULATION', file]);
  return stdout.split('\n').flatMap((line) => {
    const [, what, attempt, session] = LINE.exec(line.trim()) ?? [];
    return what && session ? [{ what, attempt: Number(attempt), session }] : [];
  });
}

/** The rail's handling of a click. */
export type Course = 'approved' | 'declined' | 'approved, unanswered' | 'declined, unanswered' | 'lost';

/**
 * One message runs claim, mark, call and answer, so the outcome of these steps, which the model takes one by one,
 * must be known at the click: an answer that comes only after another step is too late, as if it were lost.
 */
export function courseOf(trace: readonly Step[], click: number): Course {
  const attempt = trace[click]?.attempt;
  const mine = trace.slice(click + 1).filter((step) => step.attempt === attempt);
  const ofRail = ['charged', 'declined', 'repeated'];
  const truth = mine.find(({ what }) => what === 'charged' || what === 'declined');
  if (!truth) return 'lost';
  const kind = truth.what === 'charged' ? 'approved' : 'declined';
  const next = mine.find(({ what }) => !ofRail.includes(what));
  return next?.what === 'answer' ? kind : `${kind}, unanswered`;
}
