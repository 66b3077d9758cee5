/**
 * Checks that promised changes of a subscription happen: cancellation, trial end, clock target, plan, quantity and
 * payment method.
 */
import { type Facts, groupBy, type Violation } from './facts.ts';
import type { Exchange, Subscription } from './records.ts';

const PROMISE = 'a 2xx response stays true';
const FINISHED = new Set(['cancelled', 'expired']);

interface Operation extends Exchange {
  readonly subscription: Subscription;
  readonly name: string;
}

export function checkOperations(facts: Facts): Violation[] {
  const { exchanges, subscriptions, isAnswerLost } = facts;
  const byId = new Map(subscriptions.map((each) => [each.id, each]));
  const missing: Violation[] = [];
  const operations: Operation[] = [];
  for (const exchange of exchanges) {
    const [, id, name] = /^\/v1\/subscriptions\/([^/]+)\/(.+)$/.exec(exchange.path) ?? [];
    if (!id || !name || exchange.status < 200 || exchange.status >= 300) continue;
    const subscription = byId.get(id);
    if (subscription) operations.push({ ...exchange, subscription, name });
    else if (!isAnswerLost(exchange))
      missing.push({ promise: PROMISE, subject: id, found: `${name} was answered, but it does not exist` });
  }
  return [
    ...missing,
    ...operations.flatMap((operation) => isUntrue(facts, operation)),
    ...plansAreChanged(facts, operations),
    ...quantitiesAreChanged(facts, operations),
    ...methodsAreChanged(facts),
  ];
}

function isUntrue(facts: Facts, operation: Operation): Violation[] {
  const { name, subscription, body, answeredAt } = operation;
  const { id, status, clock, clock_target, cancel_at_period_end, cancel_requested_at } = subscription;
  const wrong = (found: string): Violation[] => [{ promise: PROMISE, subject: id, found }];
  if (name === 'cancel' && !isDeparture(facts, operation) && !isFollowedBy('cancel/undo', facts, operation)) {
    const isEnding = cancel_at_period_end || cancel_requested_at !== null;
    if (!FINISHED.has(status) && !isEnding) return wrong(`cancel was answered at ${answeredAt}: ${status}`);
  }
  if (
    name === 'cancel/undo' &&
    cancel_at_period_end &&
    !facts.stoppedByDispute.has(id) &&
    !isDeparture(facts, operation) &&
    !isEndedAgain(facts, operation)
  )
    return wrong(`its cancellation was undone at ${answeredAt}, but it ends with its period`);
  const isPausing = status === 'paused' || subscription.pause_at_period_end;
  if (name === 'pause' && isPausing === false && !FINISHED.has(status)) {
    const { resumes_at: resumesAt = null } = JSON.parse(body ?? '{}') as { resumes_at?: string | null };
    if (resumesAt === null && !isFollowedBy('resume', facts, operation) && !isDeparture(facts, operation))
      return wrong(`pause was answered at ${answeredAt}: ${status}`);
  }
  if (
    name === 'resume' &&
    isPausing &&
    !isFollowedBy('pause', facts, operation) &&
    !isDeparture(facts, operation)
  )
    return wrong(`resume was answered at ${answeredAt}, but it pauses`);
  // The harness's merchants end trials only immediately.
  if (name === 'trial' && status === 'trialing' && !isDeparture(facts, operation))
    return wrong(`its trial was ended at ${answeredAt}, but continues`);
  // An advance lost in a restore has to be repeated.
  if (name === 'advance' && !facts.isAnswerLost(operation)) {
    const { to } = JSON.parse(body ?? '{}') as { to: string };
    const isOnItsWay = clock_target !== null && clock_target >= to;
    if (!FINISHED.has(status) && clock < to && !isOnItsWay)
      return wrong(`its clock was to reach ${to}, but is at ${clock}`);
  }
  return [];
}

/** Compares the other operation's response with this request's sending time, because it may be answered first. */
function isFollowedBy(other: string, { exchanges }: Facts, { subscription, sentAt }: Operation): boolean {
  const path = `/v1/subscriptions/${subscription.id}/${other}`;
  return exchanges.some((each) => each.path === path && each.status === 200 && each.answeredAt >= sentAt);
}

function isEndedAgain({ exchanges }: Facts, { subscription, sentAt }: Operation): boolean {
  const cancel = `/v1/subscriptions/${subscription.id}/cancel`;
  return exchanges.some(({ path, answeredAt }) => path === cancel && answeredAt >= sentAt);
}

/**
 * After a restore, a cancellation or a change of plan is stored again from its run's history, or listed for an
 * operator. It leaves no record if Temporal has lost it too, or its run was replaced.
 */
function isDeparture({ incidents, faults, isAnswerLost }: Facts, operation: Operation): boolean {
  if (!isAnswerLost(operation)) return false;
  const { id } = operation.subscription;
  const isReplaced = faults.some(
    ({ kind, what }) =>
      kind === 'Temporal is restored' ||
      kind === 'both are restored' ||
      ((kind === 'a run is terminated' || kind === 'a run is reset') && what.includes(id)),
  );
  return isReplaced || incidents.some((incident) => incident.id.startsWith(id));
}

interface Change {
  readonly action_id: string;
  readonly target_plan_id: string;
}

/** The last change that was answered is in effect or scheduled, unless it was cancelled later. */
function plansAreChanged(facts: Facts, operations: readonly Operation[]): Violation[] {
  const changes = operations.filter(({ name }) => /^(plan-change|offering-change)(\/cancel)?$/.test(name));
  return [...groupBy(changes, ({ subscription }) => subscription.id)].flatMap(([id, all]) => {
    const [last] = all.toSorted((one, other) => other.answeredAt.localeCompare(one.answeredAt));
    if (!last || FINISHED.has(last.subscription.status) || isDeparture(facts, last)) return [];
    const { plan } = last.subscription;
    const change = last.subscription.change?.status === 'cancelled' ? null : last.subscription.change;
    const wrong = (found: string): Violation[] => [{ promise: PROMISE, subject: id, found }];
    if (last.name.endsWith('/cancel')) {
      const cancelled = JSON.parse(last.answer ?? '{}') as Change;
      const isBack = change?.action_id === cancelled.action_id || plan.id === cancelled.target_plan_id;
      return isBack ? wrong(`the change to ${cancelled.target_plan_id} was cancelled, but is in effect`) : [];
    }
    const { target_plan_id: target, effective } = JSON.parse(last.body ?? '{}') as Change & {
      effective?: string;
    };
    // An immediate change is applied only if its charge succeeds.
    if (effective === 'now') return [];
    if (plan.id === target || change?.target_plan_id === target) return [];
    return wrong(`a change to ${target} was answered, but its plan is ${plan.id}`);
  });
}

/** The last quantity whose charge succeeded is in effect: renewals and changes of plan keep it. */
function quantitiesAreChanged(facts: Facts, operations: readonly Operation[]): Violation[] {
  const applied = operations.filter(
    ({ name, answer }) =>
      name === 'quantity' &&
      (JSON.parse(answer ?? '{}') as { change?: { status: string } }).change?.status === 'applied',
  );
  return [...groupBy(applied, ({ subscription }) => subscription.id)].flatMap(([id, all]) => {
    const [last] = all.toSorted((one, other) => other.answeredAt.localeCompare(one.answeredAt));
    if (!last || FINISHED.has(last.subscription.status) || isDeparture(facts, last)) return [];
    const { quantity: wanted } = JSON.parse(last.body ?? '{}') as { quantity: number };
    const { quantity } = last.subscription;
    if (quantity === wanted) return [];
    return [
      { promise: PROMISE, subject: id, found: `quantity ${wanted} was charged, but it has ${quantity}` },
    ];
  });
}

/** The page of a change exists, and the method that it confirmed is the subscription's. */
function methodsAreChanged(facts: Facts): Violation[] {
  const { exchanges, methodChanges, subscriptions, seen, received, isLost, isAnswerLost } = facts;
  const stateOf = new Map(methodChanges.map(({ id, state }) => [id, state]));
  const byId = new Map(subscriptions.map((each) => [each.id, each]));
  // A restore loses changes that were reported. Every event that it keeps or adopts is delivered again.
  const replaced = received.flatMap(({ type, at, rawBody }) =>
    type === 'payment_method.updated' && !isLost(at) ? [JSON.parse(rawBody) as MethodUpdated] : [],
  );
  return exchanges.flatMap((exchange) => {
    const { path, status, body, answer } = exchange;
    if (path !== '/v1/payment-methods/change' || status !== 201) return [];
    const { id } = JSON.parse(answer ?? '{}') as { id: string };
    const { subscriptionId } = JSON.parse(body ?? '{}') as { subscriptionId: string };
    const wrong = (found: string): Violation[] => [{ promise: PROMISE, subject: id, found }];
    const state = stateOf.get(id);
    if (!state)
      return isAnswerLost(exchange) ? [] : wrong(`a change of ${subscriptionId} that does not exist`);
    const hasSeen = seen.some(
      (each) => each.sessionId === id && each.state === 'succeeded' && !isLost(each.at),
    );
    if (hasSeen && state !== 'succeeded') return wrong(`the page showed succeeded, but now shows ${state}`);
    if (state !== 'succeeded') return [];
    const [told] = replaced
      .filter(({ subscription }) => subscription.id === subscriptionId)
      .toSorted((one, other) => other.occurred_at.localeCompare(one.occurred_at));
    if (!told) return wrong(`${subscriptionId} has a new method, but no event reported it`);
    const now = byId.get(subscriptionId)?.payment_method;
    return now?.last4 === told.payment_method.last4 && now.brand === told.payment_method.brand
      ? []
      : wrong(`${subscriptionId} was to use ${told.payment_method.last4}, but uses ${now?.last4}`);
  });
}

interface MethodUpdated {
  readonly occurred_at: string;
  readonly subscription: { readonly id: string };
  readonly payment_method: { readonly brand: string; readonly last4: string };
}
