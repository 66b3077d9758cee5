/**
 * Moves one subscription: stops it at the processor, writes it here, then ends it at the processor (rule 46). Each step
 * can be repeated.
 */
import { readClock } from '../../../db/core/pool.ts';
import {
  type ImportedPlan,
  importSubscription,
  type KnownSubscription,
} from '../../../db/operations/import-account.ts';
import { mandateOf } from '../../../platform/secrets/places.ts';
import { readRememberedEnd } from '../../../platform/temporal/remembered-end.ts';
import type { SourcePlan, SourceSubscription } from '../../../rail/account-source.ts';
import type { RailUnknown } from '../../../rail/outcomes.ts';
import { type ImportDeps, type ImportOptions, imported } from './import-deps.ts';
import type { ImportRow } from './import-row.ts';
import {
  cancelledThere,
  endedHere,
  endingThere,
  movedElsewhere,
  priceChanged,
  subscriptionObstacles,
} from './obstacles.ts';

const CALL_TIMEOUT_MS = 30_000;

/** A subscription to move. Its `id` in this service is known before it is written. */
export interface Move extends KnownSubscription {
  readonly plan: SourcePlan | undefined;
  readonly written: ImportedPlan | undefined;
  /** Nothing is stopped at the processor unless its plan exists here. */
  readonly isPlanMovable: boolean;
  /** Null if the customer stays at the processor, undefined if the processor did not list the customer. */
  readonly customerId: string | null | undefined;
}

export async function moveSubscription(
  deps: ImportDeps,
  { carryOut }: ImportOptions,
  subscription: SourceSubscription,
  move: Move,
): Promise<ImportRow> {
  const { id, exists, renews, plan, isPlanMovable } = move;
  const row = { kind: 'subscription', source: subscription.id } as const;
  if (exists) {
    const { isKnown, why } = await endThere(deps, { subscription, id, renews, carryOut });
    return { ...row, state: isKnown ? 'there' : 'unknown', id, why };
  }
  const customer = customerStays(subscription, move.customerId);
  const obstacles = subscriptionObstacles(subscription, plan, await readClock(deps.pool));
  const stays =
    plan && !isPlanMovable && obstacles.length === 0 ? [`Its price ${plan.id} is not moved.`] : [];
  const before: string[] = [...obstacles, ...stays, ...movedElsewhere(subscription, id), ...customer];
  // In a dry run, query only subscriptions that an import has begun to move.
  if (before.length === 0 && (carryOut || subscription.movedTo === id))
    before.push(...endedHere(id, await readRememberedEnd(deps.temporal, id)));
  if (before.length > 0)
    return { ...row, state: 'stays', id: null, why: [...before, ...endingThere(subscription, id)] };
  if (!carryOut) return { ...row, state: 'moves', id: null, why: [] };

  const stopped = await stopThere(deps, subscription, id);
  if (stopped.kind === 'unknown') return { ...row, state: 'unknown', id: null, why: [notAnswered(stopped)] };
  if (stopped.kind === 'leftAlone') return { ...row, state: 'stays', id: null, why: stopped.why };
  // The import writes the listed price, so the price must not have changed since it was listed.
  const changed = priceChanged(subscription, stopped.value);
  const after =
    changed.length > 0 ? changed : subscriptionObstacles(stopped.value, plan, await readClock(deps.pool));
  const written = await write(deps, stopped.value, move, after);
  if (!written)
    return { ...row, state: 'stays', id: null, why: [...after, ...endingThere(stopped.value, id)] };
  const { isKnown, why } = await endThere(deps, { subscription: stopped.value, id, renews: true, carryOut });
  return { ...row, state: isKnown ? 'moved' : 'unknown', id, why };
}

function customerStays(
  { customerId: source }: SourceSubscription,
  customerId: Move['customerId'],
): readonly string[] {
  if (customerId === undefined) return ['Its customer is not among the account’s customers.'];
  return customerId === null ? [`Its customer ${source} is not moved.`] : [];
}

/**
 * Stops the subscription at the processor: from then on it does not renew, and the end of the paid period is certain.
 * @returns `leftAlone` if a change since the listing prevents the move, for example a cancellation by its customer
 */
async function stopThere(
  deps: ImportDeps,
  subscription: SourceSubscription,
  movedTo: string,
): Promise<
  | { readonly kind: 'stopped'; readonly value: SourceSubscription }
  | { readonly kind: 'leftAlone'; readonly why: readonly string[] }
  | RailUnknown
> {
  if (subscription.state === 'over') return { kind: 'stopped', value: subscription };
  const now = await deps.source.readAgain(callAbout(deps, subscription.id, movedTo));
  if (now.kind === 'unknown') return now;
  const why = [
    ...priceChanged(subscription, now.value),
    ...now.value.obstacles,
    ...movedElsewhere(now.value, movedTo),
  ];
  if (why.length > 0) return { kind: 'leftAlone', why: [...why, ...endingThere(now.value, movedTo)] };
  const stopped = await deps.source.stop(callAbout(deps, subscription.id, movedTo));
  if (stopped.kind === 'stopped' && !['stopped', 'over'].includes(stopped.value.state))
    return { kind: 'unknown', reason: 'malformed_answer' };
  return stopped;
}

/** @returns false, and writes nothing, if the subscription cannot be billed here in its current state */
async function write(
  deps: ImportDeps,
  stopped: SourceSubscription,
  { id, written: plan, customerId }: Move,
  obstacles: readonly string[],
): Promise<boolean> {
  if (obstacles.length > 0 || !plan || !customerId || stopped.mandate === null) return false;
  await importSubscription(
    deps.pool,
    {
      ...stopped,
      ...imported(deps, stopped),
      paidForPeriod: await deps.source.paidForPeriod(callAbout(deps, stopped.id, id)),
      plan,
      customerId,
      railAccountId: deps.account.id,
      sealedMandate: deps.secretBox.seal(stopped.mandate, mandateOf(customerId)),
    },
    deps.actor,
  );
  return true;
}

interface ToEnd {
  readonly subscription: SourceSubscription;
  readonly id: string;
  readonly renews: boolean;
  readonly carryOut: boolean;
}

/**
 * Cancels the subscription at the processor for good: a scheduled cancellation could be undone in the processor's
 * dashboard or customer portal.
 *
 * @returns whether the processor is known to have stopped billing, and what an operator has to do
 */
async function endThere(
  deps: ImportDeps,
  { subscription: { id: sourceId, state }, id, renews, carryOut }: ToEnd,
): Promise<{ readonly isKnown: boolean; readonly why: readonly string[] }> {
  const isOver = state === 'over' || state === 'cancelled';
  const isCancelled = state === 'ending' || state === 'cancelled';
  const ended =
    isOver || !carryOut
      ? { kind: state }
      : await deps.source.end({ ...callAbout(deps, sourceId, id), isCancelled });
  if (ended.kind !== 'unknown') {
    const isListed = renews && (isCancelled || ended.kind === 'cancelled');
    return { isKnown: true, why: isListed ? [cancelledThere(id)] : [] };
  }
  const renewsNot = 'It is billed here, and will not renew at its processor unless it is resumed there.';
  return { isKnown: false, why: [`${notAnswered(ended)} ${renewsNot}`] };
}

function callAbout({ account }: ImportDeps, id: string, movedTo: string) {
  return { account, id, movedTo, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) };
}

function notAnswered({ reason, detail }: RailUnknown): string {
  return `The processor’s answer is unknown (${[reason, detail].filter(Boolean).join(', ')}): run the import again.`;
}
