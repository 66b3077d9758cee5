/** When a rail counts as failing as a whole, and when it is tried again. Pure. */
import type { UnknownReason } from './attempt.ts';

/** The rail did not answer, or not intelligibly. A rejected account or call is an answer. */
const FAILURES: readonly UnknownReason[] = [
  'timeout',
  'connection_lost',
  'server_error',
  'malformed_answer',
  'not_sent',
];

export function isRailFailure(outcome: { readonly kind: string; readonly reason?: string }): boolean {
  return outcome.kind === 'unknown' && FAILURES.some((reason) => reason === outcome.reason);
}

/** How many of the last attempts count, and how old they may be. */
export const COUNTED = { attempts: 20, seconds: 60 } as const;
const MIN_FAILURES = 5;

/** The last attempts of a rail account, or of a rail as a whole. */
export interface RecentAttempts {
  readonly attempts: number;
  readonly failures: number;
  /** Rail accounts among them, and those with a failure. */
  readonly accounts: number;
  readonly failingAccounts: number;
}

/** At least half of the last attempts failed, and at least five; for a whole rail, at most of its accounts. */
export function isFailing(recent: RecentAttempts, of: 'account' | 'rail'): boolean {
  const { attempts, failures, accounts, failingAccounts } = recent;
  if (failures < MIN_FAILURES || failures * 2 < attempts) return false;
  return of === 'account' || (failingAccounts > 1 && failingAccounts * 2 > accounts);
}

const FIRST_WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 300;

/** @param probes failed attempts among those let through since it opened */
export function waitBeforeProbe(probes: number): number {
  return Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(probes, 10), LONGEST_WAIT_SECONDS);
}

/** How long an attempt that was let through may take until the next one passes. */
export const PROBE_SECONDS = 60;
