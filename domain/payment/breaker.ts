/** Decides when an account, or a whole rail, counts as failing, and when to probe it again. Pure. */
import type { UnknownReason } from './attempt.ts';

/** The account makes too many calls, which implies nothing about the rail's other accounts. */
export const BUSY: UnknownReason = 'busy';

/** The rail did not answer, or its answer could not be read. A rejected account or call is an answer. */
const FAILURES: readonly UnknownReason[] = [
  'timeout',
  'connection_lost',
  'server_error',
  'malformed_answer',
  'not_sent',
  BUSY,
];

export function isRailFailure(outcome: { readonly kind: string; readonly reason?: string }): boolean {
  return outcome.kind === 'unknown' && FAILURES.some((reason) => reason === outcome.reason);
}

/**
 * Number and maximum age of the latest attempts that count. For a whole rail, only the last attempt of each account
 * counts, so that accounts with few sales count as much as others.
 */
export const COUNTED = {
  account: { attempts: 20, seconds: 60 },
  rail: { attempts: 500, seconds: 600 },
} as const;
/** Seconds over which the share of failures is calculated. */
export const RECENT_SECONDS = 60;
const MIN_FAILURES = 5;
/** With a lower minimum, two merchants alone could stop the sales of all others, or keep them stopped. */
export const MIN_FAILING_ACCOUNTS = 3;

export interface RecentAttempts {
  readonly attempts: number;
  readonly failures: number;
  /** Rail accounts with attempts, and those whose last attempt failed. */
  readonly accounts: number;
  readonly failingAccounts: number;
  /** True if the rail recently answered an account whose last attempt did not fail. */
  readonly answersOthers: boolean;
}

/**
 * True if at least five, and at least half, of the recent attempts failed. A whole rail is failing only if at least
 * `MIN_FAILING_ACCOUNTS`, and most of those that tried, are failing, while the rail answers no other account.
 */
export function isFailing(recent: RecentAttempts, of: 'account' | 'rail'): boolean {
  const { attempts, failures, accounts, failingAccounts, answersOthers } = recent;
  if (failures < MIN_FAILURES || failures * 2 < attempts) return false;
  if (of === 'account') return true;
  return failingAccounts >= MIN_FAILING_ACCOUNTS && failingAccounts * 2 > accounts && !answersOthers;
}

const FIRST_WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 300;

/** @param probes number of failed probes since the breaker opened */
export function waitBeforeProbe(probes: number): number {
  return Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(probes, 10), LONGEST_WAIT_SECONDS);
}

/** How long to wait for a probe's result before sending another probe. */
export const PROBE_SECONDS = 60;
