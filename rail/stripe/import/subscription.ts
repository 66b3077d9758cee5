/** A subscription at Stripe, as the import reads it, and the reasons why it stays there. */
import type { z } from 'zod';
import type { SourceSubscription } from '../../account-source.ts';
import { instantOf } from '../core/instant.ts';
import { summaryOf } from '../core/method.ts';
import { obstaclesOf } from './obstacles.ts';
import type { Subscription, storedMethod } from './schema.ts';

/** Returns the cancellation comment that shows that the import, not a person, ended the subscription. */
export function endedByUs(movedTo: string): string {
  return `moved to ${movedTo}`;
}
/** Returns the cancellation comment for when the import ends a subscription that a person had cancelled. */
export function endedAsCancelled(movedTo: string): string {
  return `cancelled before it moved to ${movedTo}`;
}

/**
 * Returns the cancellation comment for when the import stops a subscription. If the cancellation is withdrawn, Stripe
 * drops the comment but keeps `moved_to`: a later cancellation by a person therefore lacks the comment.
 */
export function stoppedByUs(movedTo: string): string {
  return `moving to ${movedTo}`;
}

/** @param owing customers with invoice items that wait for the next renewal */
export function sourceSubscription(found: Subscription, owing: ReadonlySet<string>): SourceSubscription {
  const [item] = found.items.data;
  const { id: customerId } = found.customer;
  const method = methodOf(found);
  const chargeable = method?.type === 'card' && method.customer === customerId;
  const inTrial = found.trial_end === item.current_period_end;
  const state = stateOf(found, item.current_period_end);
  return {
    id: found.id,
    createdAt: instantOf(found.created),
    state,
    movedTo: ['running', 'ending'].includes(state) ? null : (found.metadata?.moved_to ?? null),
    obstacles: obstaclesOf(found, { chargeable, owing: owing.has(customerId), state }),
    customerId,
    planId: item.price.id,
    billingAnchor: instantOf(found.billing_cycle_anchor),
    periodStart: instantOf(item.current_period_start),
    periodEnd: instantOf(item.current_period_end),
    // During a trial the period is the trial; a subscription that ended in its trial keeps it.
    trialStart: inTrial && found.trial_start ? instantOf(found.trial_start) : null,
    method: summaryOf(method),
    methodId: method?.id ?? null,
    mandate: chargeable ? `${customerId}:${method.id}` : null,
  };
}

/**
 * Derives the state. A subscription that ended with its period after an import had stopped it is `over`, like one that
 * the import ended.
 */
function stateOf(found: Subscription, periodEnd: number): SourceSubscription['state'] {
  const movedTo = found.metadata?.moved_to;
  const untilEnded = found.cancel_at_period_end || found.cancel_at ? 'ending' : 'running';
  if (!movedTo) return found.status === 'canceled' ? 'cancelled' : untilEnded;
  const comment = found.cancellation_details?.comment;
  const stopIsOurs = comment === stoppedByUs(movedTo);
  if (found.status !== 'canceled') return stopIsOurs && found.cancel_at_period_end ? 'stopped' : untilEnded;
  const endedAsStopped = stopIsOurs && (found.ended_at ?? 0) >= periodEnd;
  return endedAsStopped || comment === endedByUs(movedTo) ? 'over' : 'cancelled';
}

/** Returns the charged method: the subscription's own, or else the customer's default. */
function methodOf(found: Subscription): z.infer<typeof storedMethod> | null {
  const ofCustomer = found.customer.invoice_settings?.default_payment_method;
  const method = found.default_payment_method ?? ofCustomer;
  return typeof method === 'string' ? null : (method ?? null);
}
