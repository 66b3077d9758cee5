/** Finds an attempt's outcome. Sends nothing that could move money: it reads, and cancels declined intents. */
import type { Rail, RailOutcome } from '../rail.ts';
import type { Answer } from './call.ts';
import type { StripeApi } from './client.ts';
import { endIntent, outcomeOfClosed } from './close.ts';
import type { Intent } from './intent.ts';
import { KINDS, listIntents, retrieveIntent } from './intents.ts';
import { unknownOf } from './refused.ts';

/** Allowance for clock skew, and for an intent created late in a slow call. */
const BEFORE_SECONDS = 120;
const AFTER_SECONDS = 600;

type LookupRequest = Parameters<Rail['lookup']>[0];
type CancelRequest = Parameters<Rail['cancel']>[0];

export async function lookup(api: StripeApi, request: LookupRequest): Promise<RailOutcome> {
  const found = await find(api, request);
  if (found.kind !== 'answer') return unknownOf(found);
  if (!found.value) return { kind: 'notFound' };
  return outcomeOfClosed(api, request.reference, found.value);
}

export async function cancel(api: StripeApi, request: CancelRequest): Promise<RailOutcome> {
  const { railReference, idempotencyKey } = request;
  if (railReference) return endIntent(api, railReference, idempotencyKey);
  const found = await find(api, request);
  if (found.kind !== 'answer') return unknownOf(found);
  return found.value ? endIntent(api, found.value.id, idempotencyKey) : { kind: 'notFound' };
}

/**
 * Finds the intent by its id or, without one, in the lists of intents created around that time: its
 * customer's, or all of them for payments from before each had a customer.
 */
async function find(
  api: StripeApi,
  { railReference, railCustomer, reference, account, begunAt }: LookupRequest,
): Promise<Answer<Intent | null>> {
  if (railReference) return retrieveIntent(api, railReference);
  const begun = Math.floor(Date.parse(begunAt) / 1_000);
  const listed = {
    from: begun - BEFORE_SECONDS,
    to: begun + AFTER_SECONDS,
    ...(railCustomer && { customer: railCustomer }),
  };
  const isOurs = (intent: Intent) => intent.reference === reference && intent.railAccountId === account.id;
  for (const kind of KINDS) {
    const found = await listIntents(api, kind, listed, (intents) => intents.some(isOurs));
    if (found.kind !== 'answer') return found;
    const ours = found.value.find(isOurs);
    if (ours) return { kind: 'answer', value: ours };
  }
  return { kind: 'answer', value: null };
}
