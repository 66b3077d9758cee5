/** A merchant's existing objects at a processor, and how an import moves them (rule 46). */

import type { Interval } from '../domain/core/calendar.ts';
import type { MethodSummary } from '../domain/payment/payment-method.ts';
import type { RailUnknown } from './outcomes.ts';
import type { RailAccount } from './rail-account.ts';

export interface AccountContents {
  readonly customers: readonly SourceCustomer[];
  readonly plans: readonly SourcePlan[];
  /** Products without a price; they are not plans. */
  readonly products: readonly SourceRow[];
  readonly subscriptions: readonly SourceSubscription[];
  /** All stored methods of the customers, including methods that nothing charges. */
  readonly methods: readonly SourceMethod[];
  /** Objects that do not match the processor's documentation: none of their values can be trusted. */
  readonly unread: readonly UnreadRow[];
}

export interface UnreadRow extends Pick<SourceRow, 'id' | 'obstacles'> {
  readonly kind: 'customer' | 'plan' | 'product' | 'subscription' | 'payment_method' | 'invoice_item';
}

export interface SourceRow {
  /** The object's id at the processor. */
  readonly id: string;
  readonly createdAt: string;
  /** Why the object cannot be moved, one sentence per reason; empty if it can. */
  readonly obstacles: readonly string[];
}

export interface SourceCustomer extends SourceRow {
  readonly email: string | null;
  readonly name: string | null;
  /** The address in the format of the API's `billingDetails`. */
  readonly address: Readonly<Record<string, string | null>> | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A product with one price. */
export interface SourcePlan extends SourceRow {
  readonly name: string;
  readonly description: string | null;
  readonly active: boolean;
  readonly amountCents: number;
  readonly currency: string;
  /** Null for a one-off price. */
  readonly recurring: { readonly interval: Interval; readonly intervalCount: number } | null;
}

export interface SourceSubscription extends SourceRow {
  /**
   * - `running`: renews at the processor.
   * - `stopped`: an import has set it to end at the processor with its period.
   * - `over`: ended at the processor, by an import or after an import had stopped it, and can no longer change.
   * - `ending`: its customer or merchant has cancelled it at the processor, and it has not ended yet.
   * - `cancelled`: it has ended because its customer or merchant ended it there, before its period ended or with it.
   */
  readonly state: 'running' | 'stopped' | 'over' | 'ending' | 'cancelled';
  /** The subscription's id here, if an import has moved it or begun to; null while it is running or ending. */
  readonly movedTo: string | null;
  readonly customerId: string;
  readonly planId: string;
  readonly billingAnchor: string;
  readonly periodStart: string;
  /** The end of the paid period, when the next period is charged. */
  readonly periodEnd: string;
  /** Null unless the subscription is in its trial. */
  readonly trialStart: string | null;
  readonly method: MethodSummary | null;
  /** The processor's id of the stored method that the subscription charges; null if there is none. */
  readonly methodId: string | null;
  /** Secret. The same as `RailOutcome.mandate`; null if no stored method can be charged. */
  readonly mandate: string | null;
}

export interface SourceMethod extends SourceRow {
  readonly customerId: string;
}

interface SubscriptionCall {
  readonly account: RailAccount;
  /** The method's id at the processor. */
  readonly id: string;
  readonly movedTo: string;
  readonly signal: AbortSignal;
}

/**
 * Moves the merchant's existing objects at the processor into the service. A subscription is stopped at the processor,
 * then written here, then ended at the processor (rule 46).
 */
export interface AccountSource {
  /** @throws RailListFailed */
  read(account: RailAccount, signal: AbortSignal): Promise<AccountContents>;
  /** Returns a subscription's current state, because the list may be hours old. */
  readAgain(
    call: SubscriptionCall,
  ): Promise<{ readonly kind: 'found'; readonly value: SourceSubscription } | RailUnknown>;
  /**
   * Makes the processor stop renewing the subscription after its paid period. Idempotent.
   * @param movedTo the service's id, which the processor stores with the subscription
   * @returns the subscription's resulting state, whose period can no longer change
   */
  stop(
    call: SubscriptionCall,
  ): Promise<{ readonly kind: 'stopped'; readonly value: SourceSubscription } | RailUnknown>;
  /**
   * Returns the amount paid for the subscription's current period, in cents, less refunds; null unless it is certain
   * and the processor answers.
   */
  paidForPeriod(call: SubscriptionCall): Promise<number | null>;
  /**
   * Ends the subscription at the processor immediately and permanently, without a credit or an invoice. Idempotent.
   * @param isCancelled true for a subscription in the state `ending`, which then becomes `cancelled` instead of `over`
   * @returns `cancelled` if its customer or merchant had already ended it at the processor
   */
  end(
    call: SubscriptionCall & { readonly isCancelled: boolean },
  ): Promise<{ readonly kind: 'ended' | 'cancelled' } | RailUnknown>;
}
