/**
 * The operations that a subscription allows, and the codes that refuse the others. The single source for the
 * operations' transactions, the routes and the table in docs/subscriptions.md. Refusals for another reason (an unknown
 * plan, a clock's target) belong to their operation.
 */
import { isFinishedSubscription, SUBSCRIPTION_STATUSES, type SubscriptionStatus } from './subscription.ts';

/**
 * Named like their updates (workflows/subscription/subscription-messages.ts). `scheduleChange`: a plan, an offering or
 * a quantity, for the end of the period. `linkInvoice` and `changeMethod` have no update: they create a session.
 */
export const SUBSCRIPTION_OPERATIONS = [
  'cancel',
  'undoCancel',
  'pause',
  'resume',
  'moveTrial',
  'scheduleChange',
  'changeNow',
  'cancelChange',
  'payInvoice',
  'linkInvoice',
  'changeMethod',
  'advanceClock',
] as const;
export type SubscriptionOperationName = (typeof SUBSCRIPTION_OPERATIONS)[number];

/**
 * A plan change keeps the quantity; a quantity change keeps plan and price. A change to the current plan moves the
 * subscription to that plan's current price.
 */
export type WantedChange = {
  /** When the preview whose amounts must still hold was calculated; null to calculate now. */
  readonly calculatedAt: string | null;
} & (
  | {
      readonly type: 'plan_change' | 'offering_change';
      readonly targetPlanId: string;
      /** Null except for offering changes. */
      readonly targetOfferingId: string | null;
    }
  | { readonly type: 'quantity_change'; readonly quantity: number }
);

/** Facts about the subscription besides its status, in the order in which they are checked for a refusal. */
export const OPERATION_FACTS = [
  /** The charge for an immediate change is in progress. */
  'changePending',
  /** A change of plan, offering or quantity is scheduled, or waits until its buyer confirms its charge. */
  'changeScheduled',
  /** Nothing is charged: a dispute was lost and it ends with its period, or an operator has yet to decide about a lost request. */
  'chargingStopped',
  /** It ends as soon as its open charge is settled. */
  'ending',
  /** Its period has ended, and the subscription ends once its unpaid invoices are paid or their retries are over. */
  'collecting',
  /** It ends with its period, which is not over yet. */
  'endsWithPeriod',
  /** None of `ending`, `collecting` and `endsWithPeriod`. */
  'continues',
  /** It is in the last of a limited number of periods. */
  'lastPeriod',
  /** It is paused, or will be at the end of its period. */
  'pausing',
  'notPausing',
  /** A charge is in progress: of a period, a change, or a payment link. */
  'chargeOpen',
] as const;
export type OperationFact = (typeof OPERATION_FACTS)[number];

export type StateRefusal =
  | 'subscription_incomplete'
  | 'subscription_finished'
  | 'subscription_change_scheduled'
  | 'subscription_cancel_scheduled'
  | 'subscription_cancel_not_scheduled'
  | 'subscription_trialing'
  | 'subscription_not_trialing'
  | 'subscription_past_due'
  | 'subscription_paused'
  | 'subscription_not_paused'
  | 'subscription_charging_stopped'
  | 'subscription_charge_pending';

type State = SubscriptionStatus | OperationFact;
type Refusals = Partial<Record<State, StateRefusal>>;

const REFUSED: Readonly<Record<SubscriptionOperationName, Refusals>> = {
  cancel: { changeScheduled: 'subscription_change_scheduled' },
  undoCancel: {
    chargingStopped: 'subscription_charging_stopped',
    ending: 'subscription_cancel_scheduled',
    collecting: 'subscription_cancel_scheduled',
    continues: 'subscription_cancel_not_scheduled',
  },
  pause: {
    trialing: 'subscription_trialing',
    past_due: 'subscription_past_due',
    changeScheduled: 'subscription_change_scheduled',
    chargingStopped: 'subscription_charging_stopped',
    ending: 'subscription_cancel_scheduled',
    collecting: 'subscription_cancel_scheduled',
    endsWithPeriod: 'subscription_cancel_scheduled',
    lastPeriod: 'subscription_cancel_scheduled',
  },
  resume: {
    notPausing: 'subscription_not_paused',
    chargingStopped: 'subscription_charging_stopped',
    ending: 'subscription_cancel_scheduled',
    collecting: 'subscription_cancel_scheduled',
  },
  moveTrial: {
    active: 'subscription_not_trialing',
    past_due: 'subscription_not_trialing',
    paused: 'subscription_not_trialing',
    chargingStopped: 'subscription_charging_stopped',
    ending: 'subscription_cancel_scheduled',
    collecting: 'subscription_cancel_scheduled',
    endsWithPeriod: 'subscription_cancel_scheduled',
  },
  scheduleChange: {
    paused: 'subscription_paused',
    changeScheduled: 'subscription_change_scheduled',
    pausing: 'subscription_paused',
    ending: 'subscription_cancel_scheduled',
    collecting: 'subscription_cancel_scheduled',
    endsWithPeriod: 'subscription_cancel_scheduled',
    lastPeriod: 'subscription_cancel_scheduled',
  },
  changeNow: {
    trialing: 'subscription_trialing',
    past_due: 'subscription_past_due',
    paused: 'subscription_paused',
    changeScheduled: 'subscription_change_scheduled',
    chargingStopped: 'subscription_charging_stopped',
    ending: 'subscription_cancel_scheduled',
    collecting: 'subscription_cancel_scheduled',
    endsWithPeriod: 'subscription_cancel_scheduled',
    pausing: 'subscription_paused',
    chargeOpen: 'subscription_charge_pending',
  },
  cancelChange: {},
  payInvoice: {
    chargingStopped: 'subscription_charging_stopped',
    ending: 'subscription_cancel_scheduled',
  },
  linkInvoice: {
    chargingStopped: 'subscription_charging_stopped',
    ending: 'subscription_cancel_scheduled',
  },
  changeMethod: {},
  advanceClock: {},
};

/**
 * What an allowed operation waits for. `openCharge`: the open charge is settled before the operation takes effect;
 * `joinedCharge`: before it is answered; `ownCharge`: its own charge succeeds; `periodEnd`: the period or trial ends.
 */
export type Wait = 'openCharge' | 'joinedCharge' | 'ownCharge' | 'periodEnd';

const WAITS: Partial<Record<SubscriptionOperationName, Partial<Record<State, Wait>>>> = {
  cancel: { chargeOpen: 'openCharge' },
  pause: { active: 'periodEnd' },
  scheduleChange: { trialing: 'periodEnd', active: 'periodEnd', past_due: 'periodEnd' },
  changeNow: { active: 'ownCharge' },
  payInvoice: { chargeOpen: 'joinedCharge' },
  linkInvoice: { chargeOpen: 'openCharge' },
  changeMethod: { chargeOpen: 'openCharge' },
  advanceClock: { changePending: 'openCharge', chargeOpen: 'openCharge' },
};

/** The refusal of every operation, before the first payment and after the end; otherwise null. */
export function refusalOfAll(status: SubscriptionStatus): StateRefusal | null {
  if (status === 'incomplete') return 'subscription_incomplete';
  return isFinishedSubscription(status) ? 'subscription_finished' : null;
}

export function refusalIn(operation: SubscriptionOperationName, state: State): StateRefusal | null {
  if (state === 'changePending' && operation !== 'advanceClock') return 'subscription_change_scheduled';
  const isFact = (OPERATION_FACTS as readonly string[]).includes(state);
  return (isFact ? null : refusalOfAll(state as SubscriptionStatus)) ?? REFUSED[operation][state] ?? null;
}

export function waitIn(operation: SubscriptionOperationName, state: State): Wait | null {
  return WAITS[operation]?.[state] ?? null;
}

/** Returns whether the operation takes effect only once the subscription's open charge is settled. */
export function waitsForCharge(
  operation: SubscriptionOperationName,
  subscription: OperableSubscription,
): boolean {
  return factsOf(subscription).some((fact) => waitIn(operation, fact) === 'openCharge');
}

/** Every code that `refusalIn` returns for one of these operations. */
export function refusalsOf(...operations: readonly SubscriptionOperationName[]): readonly StateRefusal[] {
  const states = [...SUBSCRIPTION_STATUSES, ...OPERATION_FACTS];
  const refusals = operations.flatMap((name) => states.flatMap((state) => refusalIn(name, state) ?? []));
  return [...new Set(refusals)];
}

export interface OperableSubscription {
  readonly status: SubscriptionStatus;
  readonly changePending: boolean;
  readonly changeScheduled: boolean;
  readonly chargingStopped: boolean;
  readonly cancelRequestedAt: string | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly collects: boolean;
  /** True if an invoice is unpaid, declined or not. */
  readonly hasUnpaid: boolean;
  readonly pauseAtPeriodEnd: boolean;
  readonly isLastPeriod: boolean;
  readonly chargeOpen: boolean;
  readonly currentPeriodEnd: string | null;
  /** By the subscription's clock. */
  readonly now: string;
}

/** Returns the code of the refusal; null if the subscription allows the operation. */
export function refusalOf(
  operation: SubscriptionOperationName,
  subscription: OperableSubscription,
): StateRefusal | null {
  const states = [subscription.status, ...factsOf(subscription)];
  for (const state of states) {
    const refusal = refusalIn(operation, state);
    if (refusal) return refusal;
  }
  return null;
}

/** A due cancellation counts as `ending` before it is processed, so that it can no longer be undone. */
function factsOf(subscription: OperableSubscription): readonly OperationFact[] {
  const { changeScheduled, cancelRequestedAt, cancelAtPeriodEnd, currentPeriodEnd, now } = subscription;
  const collects = subscription.collects && subscription.hasUnpaid;
  const isOver = currentPeriodEnd !== null && currentPeriodEnd <= now;
  const facts: OperationFact[] = subscription.changePending ? ['changePending'] : [];
  if (changeScheduled) facts.push('changeScheduled');
  if (subscription.chargingStopped) facts.push('chargingStopped');
  if (cancelRequestedAt !== null || (cancelAtPeriodEnd && isOver && !collects)) facts.push('ending');
  else if (cancelAtPeriodEnd && isOver) facts.push('collecting');
  else facts.push(cancelAtPeriodEnd ? 'endsWithPeriod' : 'continues');
  if (subscription.isLastPeriod) facts.push('lastPeriod');
  facts.push(subscription.status === 'paused' || subscription.pauseAtPeriodEnd ? 'pausing' : 'notPausing');
  if (subscription.chargeOpen) facts.push('chargeOpen');
  return facts;
}
