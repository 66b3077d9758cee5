/** Compares a restored database with the rail's lists, and adopts lost objects (rule 29). */

import { Context } from '@temporalio/activity';
import { readClock } from '../../db/core/pool.ts';
import { askAboutAllDisputes } from '../../db/dispute/disputed-payments.ts';
import { findStartableRefund } from '../../db/refund/refund-sweep.ts';
import { adoptAttempt, adoptRefund, adoptRequestedCharge } from '../../db/restore/adopt.ts';
import { listForAPerson } from '../../db/restore/close-differences.ts';
import {
  type AccountToCompare,
  nextAccountToCompare,
  type RailList,
  type RestoreProgress,
  readRestoreProgress,
  storeComparison,
  storeRefusal,
} from '../../db/restore/compare.ts';
import {
  type Difference,
  matchDifferences,
  openDifferences,
  postpone,
} from '../../db/restore/differences.ts';
import { liftFence, readLedgerCopy } from '../../db/restore/fence.ts';
import { skipLostNumbers } from '../../db/restore/skip-lost-numbers.ts';
import { findStartableSubscription, isChargeDue } from '../../db/subscription/read/subscription-sweep.ts';
import type { UnknownReason } from '../../domain/payment/attempt.ts';
import { repeatClick, wake } from '../../platform/temporal/messages.ts';
import { startAgain } from '../../platform/temporal/start-workflows.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import { RailListFailed } from '../../rail/lists.ts';
import type { Rail } from '../../rail/rail.ts';
import type { RailAccount } from '../../rail/rail-account.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';
import { whileHeartbeating } from '../core/heartbeat.ts';
import { listLostRequests } from './lost-requests.ts';

/** One activity compares accounts for this long, then returns so that the workflow can show progress. */
const COMPARE_MS = 20_000;
/**
 * Time limit for an account's lists: below half the activity's time-out, because they may be read twice. A page of a
 * hundred charges takes about 300 ms.
 */
const LIST_TIMEOUT_MS = 25 * 60_000;

/** Answers that cannot be parsed, truncated ones or a proxy's, are requested again for this long. */
const UNREADABLE_MS = 10 * 60_000;

/**
 * True if the account itself prevents the list from being read: the rail answered, and would give a retry the same
 * answer.
 */
function refusesAccount(reason: UnknownReason): boolean {
  const { scheduledTimestampMs } = Context.current().info;
  if (reason === 'malformed_answer') return Date.now() - scheduledTimestampMs > UNREADABLE_MS;
  return reason === 'account_refused' || reason === 'misconfigured';
}

/** Reads again at once, because an outage of `UNREADABLE_MS` may end with one truncated answer. */
function readAgainIfUnreadable<T>(read: () => Promise<T>): Promise<T> {
  return read().catch((error) => {
    if (!(error instanceof RailListFailed) || error.reason !== 'malformed_answer') throw error;
    return read();
  });
}

async function compare(
  deps: ActivityDeps,
  epoch: number,
  row: AccountToCompare,
  since: string,
): Promise<void> {
  const { pool, rails, logger } = deps;
  // An account that cannot be queried cannot be charged either, so it must not keep the others fenced.
  const refuse = (refusal: string, err?: unknown): Promise<void> => {
    const railAccountId = row.rail_account_id;
    logger.error({ railAccountId, refusal, err }, 'rail account not compared after the restore');
    return storeRefusal(pool, epoch, row, refusal);
  };
  if (!rails.has(row.rail)) return refuse('rail_not_configured');
  const { opened, err } = open(deps, row);
  if (!opened) return refuse('credential_unreadable', err);
  const { rail, account } = opened;
  try {
    const lists = await readAgainIfUnreadable(() => readLists(rail, account, since));
    await storeComparison(pool, epoch, row, lists);
  } catch (error) {
    if (!(error instanceof RailListFailed) || !refusesAccount(error.reason)) throw error;
    await refuse(error.reason);
  }
}

/** Reads the lists concurrently. A failure also ends the other lists, because a retry reads them again. */
async function readLists(rail: Rail, account: RailAccount, since: string): Promise<RailList> {
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(LIST_TIMEOUT_MS)]);
  try {
    const [charges, refunds, disputes] = await Promise.all([
      rail.listSince(account, since, signal),
      rail.listRefundsSince(account, since, signal),
      rail.listDisputesSince(account, since, signal),
    ]);
    return { charges, refunds, disputes };
  } finally {
    ended.abort();
  }
}

/** Fails if the credential cannot be decrypted with this installation's keys. */
function open(deps: ActivityDeps, row: AccountToCompare) {
  try {
    return { opened: openRailAccount(deps, row) };
  } catch (err) {
    return { err };
  }
}

/** @param passedOver accounts that failed, and the one being compared, which may outlast the activity's time-out */
async function compareAccounts(
  deps: ActivityDeps,
  epoch: number,
  passedOver: string[],
): Promise<RestoreProgress & { readonly more: boolean }> {
  const { pool } = deps;
  const { compareSince } = await readLedgerCopy(pool);
  const end = performance.now() + COMPARE_MS;
  let failure: unknown = new Error('accounts on which an earlier attempt failed are not compared yet');
  let next = await nextAccountToCompare(pool, epoch, passedOver);
  if (!next) passedOver.length = 0;
  for (
    next ??= await nextAccountToCompare(pool, epoch);
    next && compareSince;
    next = await nextAccountToCompare(pool, epoch, passedOver)
  ) {
    passedOver.push(next.rail_account_id);
    try {
      await compare(deps, epoch, next, compareSince);
      passedOver.pop();
    } catch (err) {
      failure = err;
    }
    if (passedOver.length === 0 && performance.now() > end) break;
  }
  // All other accounts have been compared; the activity's next attempt retries these.
  if (!next && passedOver.length > 0) throw failure;
  return { ...(await readRestoreProgress(pool, epoch)), more: next !== null && compareSince !== null };
}

async function adopt(deps: ActivityDeps, difference: Difference): Promise<void> {
  const { kind, ownerId } = difference;
  if (kind === 'refund') return adoptAndStartRefund(deps, difference);
  if (!ownerId) return;
  if (ownerId.startsWith('ap_sub_')) return adoptBySubscription(deps, ownerId, difference);
  const claimId = await adoptAttempt(deps.pool, { ...difference, ownerId });
  // Without a claim, either an attempt is open, and its workflow looks it up, or the session has ended.
  if (claimId) await repeatClick(deps, { checkoutId: ownerId, claimId });
  else await wake(deps, ownerId);
}

/**
 * The subscription's workflow claims a due charge again; a charge made on request is claimed here. The next round marks
 * the difference as adopted.
 */
async function adoptBySubscription(
  deps: ActivityDeps,
  subscriptionId: string,
  { reference }: Difference,
): Promise<void> {
  const { pool } = deps;
  if (!(await findStartableSubscription(pool, subscriptionId))) return;
  const isClaimed =
    (await isChargeDue(pool, subscriptionId, reference)) ||
    (await adoptRequestedCharge(pool, subscriptionId, reference));
  if (!isClaimed) return postpone(pool, reference);
  await wake(deps, subscriptionId);
}

async function adoptAndStartRefund(deps: ActivityDeps, difference: Difference): Promise<void> {
  const { reference } = difference;
  if (!(await findStartableRefund(deps.pool, reference))) {
    const { adopted, ended } = await adoptRefund(deps.pool, difference);
    if (!adopted) return;
    if (ended)
      deps.logger.warn({ subscriptionId: ended }, 'adopted subscription ended: its charge was returned');
  }
  await startAgain(deps, reference);
}

type Round = RestoreProgress & { readonly waits: boolean; readonly moved: boolean };

async function adoptRound(deps: ActivityDeps, epoch: number): Promise<Round> {
  const { pool, logger } = deps;
  const before = await readRestoreProgress(pool, epoch);
  for (const series of await skipLostNumbers(pool, epoch)) logger.warn(series, 'invoice numbers skipped');
  for (const reference of await matchDifferences(pool, epoch))
    logger.error({ reference }, 'rail reports a different outcome');
  const { priced = [], free = [] } = Object.groupBy(await openDifferences(pool, epoch), ({ isFree }) =>
    isFree ? 'free' : 'priced',
  );
  // Adopt charges with a price first: the price shows which sessions redeemed a coupon, and free sessions get the
  // remaining redemptions.
  for (const differences of [priced, free])
    await eachAlone(logger, differences, (difference) => adopt(deps, difference));
  const open = await openDifferences(pool, epoch);
  const progress = await readRestoreProgress(pool, epoch);
  const waits = open.some((difference) => difference.waits);
  return { ...progress, waits, moved: progress.open !== before.open };
}

async function finishRestore(deps: ActivityDeps, epoch: number): Promise<RestoreProgress> {
  const { pool, logger } = deps;
  const { compareSince: since } = await readLedgerCopy(pool);
  if (since !== null) await listLostRequests(deps, { epoch, since });
  for (const reference of await listForAPerson(pool, epoch))
    logger.error({ reference }, 'restored database lacks charges or refunds that the rail has');
  await liftFence(pool, epoch);
  logger.warn({ epoch }, 'fence lifted');
  await askAboutAllDisputes(pool);
  return readRestoreProgress(pool, epoch);
}

export function createRestoreActivities(deps: ActivityDeps) {
  const { pool, session, rails } = deps;

  return {
    /** Calls started before the fence end by their deadlines; only then do the rail's lists contain them all. */
    async beginComparison(epoch: number): Promise<RestoreProgress & { readonly waitMs: number }> {
      const { fencedAt } = await readLedgerCopy(pool);
      const lagMs = Math.max(0, ...[...rails.values()].map(({ trust }) => trust.lookupLagMs));
      const endMs = Date.parse(fencedAt ?? '') + 1_000 * session.railCallTimeoutSeconds + lagMs;
      const waitMs = fencedAt === null ? 0 : Math.max(0, endMs - Date.parse(await readClock(pool)));
      return { ...(await readRestoreProgress(pool, epoch)), waitMs };
    },

    compareAccounts: (epoch: number) => {
      const passedOver: string[] = Context.current().info.heartbeatDetails ?? [];
      return whileHeartbeating(
        () => compareAccounts(deps, epoch, passedOver),
        () => [...passedOver],
      );
    },

    /**
     * Runs one round of adoptions. In its result, `waits` means that a difference with an owner is still unsettled. The
     * name cannot change, because stored histories contain it.
     */
    adoptFindings: (epoch: number) => whileHeartbeating(() => adoptRound(deps, epoch)),

    finishRestore: (epoch: number) => whileHeartbeating(() => finishRestore(deps, epoch)),
  };
}
