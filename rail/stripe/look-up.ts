/** What became of an attempt. Sends nothing that could move money: it reads, and closes what was declined. */
import type { Rail, RailOutcome } from '../rail.ts';
import type { Answer } from './call.ts';
import type { StripeApi } from './client.ts';
import { endIntent, whenDeclined } from './close.ts';
import type { Intent } from './intent.ts';
import { KINDS, listIntents, retrieveIntent } from './intents.ts';
import { outcomeOf } from './outcome.ts';
import { outcomeOfRefused } from './refused.ts';

/** How far Stripe's clock may be from ours, and how long after its beginning a call may still create. */
const BEFORE_SECONDS = 120;
const AFTER_SECONDS = 600;

type LookupRequest = Parameters<Rail['lookup']>[0];
type CancelRequest = Parameters<Rail['cancel']>[0];

export async function lookup(api: StripeApi, request: LookupRequest): Promise<RailOutcome> {
  const found = await find(api, request);
  if (found.kind !== 'answer') return outcomeOfRefused(found, request.railReference);
  if (!found.value) return { kind: 'notFound' };
  const outcome = outcomeOf(found.value);
  return found.value.status === 'canceled' ? outcome : whenDeclined(api, request.reference, outcome);
}

export async function cancel(api: StripeApi, request: CancelRequest): Promise<RailOutcome> {
  const { railReference, idempotencyKey } = request;
  if (railReference) return endIntent(api, railReference, idempotencyKey);
  const found = await find(api, request);
  if (found.kind !== 'answer') return outcomeOfRefused(found, null);
  return found.value ? endIntent(api, found.value.id, idempotencyKey) : { kind: 'notFound' };
}

/** By its id; without one, in the lists of what was created around that time. */
async function find(
  api: StripeApi,
  { railReference, reference, account, begunAt }: LookupRequest,
): Promise<Answer<Intent | null>> {
  if (railReference) return retrieveIntent(api, railReference);
  const begun = Math.floor(Date.parse(begunAt) / 1_000);
  const range = { from: begun - BEFORE_SECONDS, to: begun + AFTER_SECONDS };
  const isOurs = (intent: Intent) => intent.reference === reference && intent.railAccountId === account.id;
  for (const kind of KINDS) {
    const listed = await listIntents(api, kind, range, (intents) => intents.some(isOurs));
    if (listed.kind !== 'answer') return listed;
    const ours = listed.value.find(isOurs);
    if (ours) return { kind: 'answer', value: ours };
  }
  return { kind: 'answer', value: null };
}
