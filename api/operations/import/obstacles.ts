/** Reasons why a customer, plan or subscription stays at its processor, the same for every processor. Pure. */
import { z } from 'zod';
import { newPrice } from '../../../contract/catalogue/prices.ts';
import { newProduct } from '../../../contract/catalogue/products.ts';
import { checkoutRequest } from '../../../contract/session/checkout.ts';
import { boundary, periodFrom } from '../../../domain/core/calendar.ts';
import { CURRENCIES, MAX_CENTS } from '../../../domain/core/money.ts';
import type { RememberedEnd } from '../../../platform/temporal/remembered-end.ts';
import type { SourceCustomer, SourcePlan, SourceSubscription } from '../../../rail/account-source.ts';

/** A renewal within this time would race with the stop at the processor. */
const TOO_CLOSE_MS = 3_600_000;

const { externalCustomerId, customer } = checkoutRequest.shape;
const { email, name, billingDetails } = customer.unwrap().unwrap().shape;
const writtenCustomer = z.object({ externalCustomerId, email, name, billingDetails });

/** @param sharing the processor's ids of all customers with this external id, which names one customer here */
export function customerObstacles(
  source: SourceCustomer,
  externalId: string,
  sharing: readonly string[],
): readonly string[] {
  const { id, email: typed, name: named, address } = source;
  const other = sharing.find((each) => each !== id);
  return [
    ...source.obstacles,
    ...(other ? [`Its external id ${externalId} is also that of ${other}.`] : []),
    ...refusals(
      writtenCustomer.safeParse({
        externalCustomerId: externalId,
        email: typed,
        name: named,
        billingDetails: address,
      }),
    ),
  ];
}

export function planObstacles(plan: SourcePlan): readonly string[] {
  const { obstacles, currency } = plan;
  const sold = (CURRENCIES as readonly string[]).includes(currency);
  return [
    ...obstacles,
    ...(sold ? [] : [`Its currency is ${currency}; the service sells in ${CURRENCIES.join(', ')}.`]),
    ...refusalsOf(plan),
  ];
}

const written = z.object({
  name: newProduct.shape.name,
  description: newProduct.shape.description,
  amount: z.int().max(MAX_CENTS),
  interval_count: newPrice.shape.recurring.unwrap().unwrap().shape.interval_count,
});

/** Returns the reasons for which the API would reject the plan's values: an import writes no such value. */
function refusalsOf({ name, description, amountCents: amount, recurring }: SourcePlan): readonly string[] {
  return refusals(written.safeParse({ name, description, amount, interval_count: recurring?.intervalCount }));
}

function refusals({ error }: z.ZodSafeParseResult<unknown>): readonly string[] {
  return (error?.issues ?? []).map(
    ({ path, message }) => `Its ${path.join('.')} is rejected here: ${message}.`,
  );
}

export function subscriptionObstacles(
  subscription: SourceSubscription,
  plan: SourcePlan | undefined,
  now: string,
): readonly string[] {
  const { obstacles } = subscription;
  if (!plan?.recurring) return [...obstacles, 'Its price is not among the account’s recurring prices.'];
  const ofPlan = planObstacles(plan).length > 0 ? [`Its price ${plan.id} is not moved.`] : [];
  return [...obstacles, ...ofPlan, ...ofTime(subscription, plan.recurring, now)];
}

function ofTime(
  { state, billingAnchor, periodEnd }: SourceSubscription,
  { interval, intervalCount }: NonNullable<SourcePlan['recurring']>,
  now: string,
): readonly string[] {
  const counted = interval === 'month' || interval === 'year';
  if (counted && periodFrom(billingAnchor, periodEnd, interval, intervalCount).anchor !== billingAnchor)
    return [
      `Its period ends on ${periodEnd}, which does not follow from its billing anchor ${billingAnchor}.`,
    ];
  const untilEndMs = Date.parse(periodEnd) - Date.parse(now);
  if (state === 'running' && untilEndMs < TOO_CLOSE_MS)
    return [`It renews at ${periodEnd}: run the import again after that.`];
  // The import would charge several periods at once.
  if (boundary(periodEnd, interval, intervalCount) <= now)
    return [`Its paid period ended on ${periodEnd}, a whole period ago: decide what is still due.`];
  return [];
}

/** @param id of the subscription in this service */
export function movedElsewhere({ movedTo }: SourceSubscription, id: string): readonly string[] {
  if (movedTo === null || movedTo === id) return [];
  return [`It was moved to ${movedTo}, which differs from its id here.`];
}

/** Rejects a subscription that ended here: moving it again would charge it despite the cancellation (rule 46). */
export function endedHere(id: string, remembered: RememberedEnd | null): readonly string[] {
  if (remembered === null) return [];
  const what = remembered === 'ended' ? 'it ended here' : 'its cancellation was requested here';
  return [
    `The database has lost ${id}, and Temporal has recorded that ${what}: it is not billed here again. ` +
      'If its customer still wants it, sell it to them again.',
  ];
}

/** Compares the price with the listed one, which would be written: the list may be hours old. */
export function priceChanged(listed: SourceSubscription, now: SourceSubscription): readonly string[] {
  if (now.planId === listed.planId) return [];
  return [`Its price changed from ${listed.planId} to ${now.planId}: run the import again.`];
}

/** Explains what happens to a subscription that stays although an import has stopped it. */
export function endingThere(
  { state, movedTo, periodEnd }: SourceSubscription,
  id: string,
): readonly string[] {
  if (state !== 'stopped' || movedTo !== id) return [];
  return [`It ends at its processor on ${periodEnd} unless it is moved first, or resumed there.`];
}

/** Explains a cancellation after the move: an operator decides whether the customer meant this subscription. */
export function cancelledThere(id: string): string {
  return (
    'Its customer or merchant cancelled it at its processor before the import ended it there, and it is billed here: ' +
    `have its merchant cancel it here (POST /v1/subscriptions/${id}/cancel), or keep it.`
  );
}
