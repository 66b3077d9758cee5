/** Decides when an account, or a whole rail, counts as failing, and when it is tried again. Pure. */
import type { UnknownReason } from './attempt.ts';

/** The account is too busy, which implies nothing about the rail's other accounts. */
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
 * How many of the last attempts count, and how old they may be. For a whole rail, each account votes by its last
 * attempt, even if it sells rarely.
 */
export const COUNTED = {
  account: { attempts: 20, seconds: 60 },
  rail: { attempts: 500, seconds: 600 },
} as const;
/** Seconds over which the share of failures is calculated. */
export const RECENT_SECONDS = 60;
const MIN_FAILURES = 5;
/** With fewer accounts, two merchants could stop the sales of all others, or prolong it. */
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
 * At least half of the recent attempts failed, and at least five. For a whole rail, they must also span several
 * accounts, most of those that tried, while no other account is answered.
 */
export function isFailing(recent: RecentAttempts, of: 'account' | 'rail'): boolean {
  const { attempts, failures, accounts, failingAccounts, answersOthers } = recent;
  if (failures < MIN_FAILURES || failures * 2 < attempts) return false;
  if (of === 'account') return true;
  return failingAccounts >= MIN_FAILING_ACCOUNTS && failingAccounts * 2 > accounts && !answersOthers;
}

const FIRST_WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 300;

/** @param probes failed attempts among those let through since the breaker opened */
export function waitBeforeProbe(probes: number): number {
  return Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(probes, 10), LONGEST_WAIT_SECONDS);
}

/** How long a probe may delay the next one. */
export const PROBE_SECONDS = 60;
