/** Finds an attempt's outcome. Sends nothing that could move money: it reads, and cancels declined intents. */

import type { RailOutcome } from '../../outcomes.ts';
import type { Rail } from '../../rail.ts';
import type { Answer } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import { unknownOf } from '../core/refused.ts';
import { endIntent, outcomeOfClosed } from './close.ts';
import { KINDS, listIntents, retrieveIntent, searchPayments } from './intent-calls.ts';
import type { Intent } from './intent-schema.ts';
import { outcomeOf } from './outcome.ts';

/** Allows for clock skew, and for an intent that a slow call created late. */
const BEFORE_SECONDS = 120;
const AFTER_SECONDS = 600;
/** Longer, because a customer has few payments, and a replayed idempotency key returns an intent up to a day old. */
const BEFORE_OF_CUSTOMER_SECONDS = 2 * 86_400;

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
 * Finds the intent by its id or, if no id was stored, in the lists of intents created around that time: its customer's
 * list or, for payments from before each payment had a customer, the list of all. The search by reference comes last:
 * it finds intents that a lost copy of the database created, at any time and for any customer (rule 28).
 */
async function find(api: StripeApi, request: LookupRequest): Promise<Answer<Intent | null>> {
  const { railReference, begunAt } = request;
  if (railReference) return retrieveIntent(api, railReference);
  const listed = begunAt === null ? NOTHING : await findInLists(api, request, begunAt);
  if (listed.kind !== 'answer' || listed.value) return listed;
  const { reference, account } = request;
  const found = await searchPayments(api, { reference, railAccountId: account.id });
  return found.kind === 'answer' ? { kind: 'answer', value: oursAmong(found.value, request) } : found;
}

const NOTHING: Answer<Intent | null> = { kind: 'answer', value: null };

async function findInLists(
  api: StripeApi,
  request: LookupRequest,
  begunAt: string,
): Promise<Answer<Intent | null>> {
  const { railCustomer } = request;
  const begun = Math.floor(Date.parse(begunAt) / 1_000);
  const listed = {
    isOurs: isOursFor(request),
    from: begun - (railCustomer ? BEFORE_OF_CUSTOMER_SECONDS : BEFORE_SECONDS),
    to: begun + AFTER_SECONDS,
    ...(railCustomer && { customer: railCustomer }),
  };
  for (const kind of KINDS) {
    const found = await listIntents(api, kind, listed, (intents) => oursAmong(intents, request) !== null);
    if (found.kind !== 'answer') return found;
    const ours = oursAmong(found.value, request);
    if (ours) return { kind: 'answer', value: ours };
  }
  return NOTHING;
}

function isOursFor({ reference, account }: LookupRequest) {
  return (metadata: Readonly<Record<string, unknown>>) =>
    metadata.reference === reference && metadata.rail_account === account.id;
}

/** Picks the service's intent, a confirmed one first: a reference can have a second, unconfirmed intent (rule 28). */
function oursAmong(intents: readonly Intent[], { reference, account }: LookupRequest): Intent | null {
  const ours = intents.filter(
    (intent) => intent.reference === reference && intent.railAccountId === account.id,
  );
  return ours.find((intent) => outcomeOf(intent).kind !== 'notFound') ?? ours[0] ?? null;
}
