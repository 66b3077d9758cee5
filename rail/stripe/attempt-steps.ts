/**
 * The order of an attempt's calls: its customer, then the intent, unconfirmed, and only then the confirmation,
 * which is the one that can move money. The service keeps each id before the next call is sent, so that what may
 * have been charged can always be found.
 */
import type { AuthorizeRequest, ChargeStoredRequest, RailOutcome } from '../rail.ts';
import type { Answer } from './call.ts';
import type { StripeApi } from './client.ts';
import { outcomeOfClosed, whenDeclined } from './close.ts';
import type { Intent } from './intent.ts';
import { retrieveIntent } from './intents.ts';
import { NOT_PERMITTED_TO_CHARGE, outcomeOfRefused, unknownOf } from './refused.ts';

/** Of one call: a key of its own under the attempt's. */
export interface KeyOption {
  readonly idempotencyKey: string;
}

export interface AttemptSteps {
  /** The customer's id at Stripe: a new one's, or the mandate's. */
  customer(options: KeyOption): Promise<Answer<string>>;
  create(customerId: string, options: KeyOption): Promise<Answer<Intent>>;
  confirm(intentId: string, options: KeyOption): Promise<Answer<Intent>>;
}

/** The time is over, or the id could not be kept: what is there stays unconfirmed, a look-up ends it. */
const NOT_KEPT: RailOutcome = { kind: 'unknown', reason: 'not_sent' };

export async function inSteps(
  api: StripeApi,
  { idempotencyKey: key, remember, reference }: AuthorizeRequest | ChargeStoredRequest,
  steps: AttemptSteps,
): Promise<RailOutcome> {
  const customer = await steps.customer({ idempotencyKey: `${key}:customer` });
  if (customer.kind !== 'answer') return unknownOf(customer, NOT_PERMITTED_TO_CHARGE);
  if (!(await kept(remember({ railCustomer: customer.value })))) return NOT_KEPT;

  const created = await steps.create(customer.value, { idempotencyKey: `${key}:create` });
  if (created.kind !== 'answer') return outcomeOfRefused(created, null);
  const { id } = created.value;
  if (!(await kept(remember({ railReference: id })))) return NOT_KEPT;

  const confirmed = await steps.confirm(id, { idempotencyKey: `${key}:confirm` });
  switch (confirmed.kind) {
    case 'answer':
      return outcomeOfClosed(api, reference, confirmed.value);
    // Somebody cancelled it in between, or this is a repetition: it says itself where it stands.
    case 'movedOn': {
      const found = await retrieveIntent(api, id);
      return found.kind === 'answer' ? outcomeOfClosed(api, reference, found.value) : unknownOf(found);
    }
    default:
      return whenDeclined(api, reference, outcomeOfRefused(confirmed, id));
  }
}

function kept(remembering: Promise<void>): Promise<boolean> {
  return remembering.then(
    () => true,
    () => false,
  );
}
