/**
 * The order of an attempt's calls: customer, unconfirmed intent, confirmation. Only the confirmation can move money.
 * The service stores each id before the next call, so that a charge can always be found.
 */

import type { RailOutcome } from '../../outcomes.ts';
import type { AuthorizeRequest, ChargeStoredRequest } from '../../requests.ts';
import type { Answer } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import { NOT_PERMITTED_TO_CHARGE, outcomeOfRefused, unknownOf } from '../core/refused.ts';
import { outcomeOfClosed, whenDeclined } from './close.ts';
import { retrieveIntent } from './intent-calls.ts';
import type { Intent } from './intent-schema.ts';

/** Each call has its own key, derived from the attempt's. */
export interface KeyOption {
  readonly idempotencyKey: string;
}

export interface AttemptSteps {
  /** Returns the Stripe customer's id: a new customer's, or the mandate's. */
  customer(options: KeyOption): Promise<Answer<string>>;
  create(customerId: string, options: KeyOption): Promise<Answer<Intent>>;
  confirm(intentId: string, options: KeyOption): Promise<Answer<Intent>>;
}

/** The deadline passed, or an id could not be stored: the intent stays unconfirmed, and a look-up cancels it. */
const NOT_KEPT: RailOutcome = { kind: 'unknown', reason: 'not_sent' };

export async function inSteps(
  api: StripeApi,
  { idempotencyKey: key, storeId, reference }: AuthorizeRequest | ChargeStoredRequest,
  steps: AttemptSteps,
): Promise<RailOutcome> {
  const customer = await steps.customer({ idempotencyKey: `${key}:customer` });
  if (customer.kind !== 'answer') return unknownOf(customer, NOT_PERMITTED_TO_CHARGE);
  if (!(await kept(storeId({ railCustomer: customer.value })))) return NOT_KEPT;

  const created = await steps.create(customer.value, { idempotencyKey: `${key}:create` });
  if (created.kind !== 'answer') return outcomeOfRefused(created, null);
  const { id } = created.value;
  if (!(await kept(storeId({ railReference: id })))) return NOT_KEPT;

  const confirmed = await steps.confirm(id, { idempotencyKey: `${key}:confirm` });
  switch (confirmed.kind) {
    case 'answer':
      return outcomeOfClosed(api, reference, confirmed.value);
    // The intent was cancelled in the meantime, or this call is a retry: the intent's current state decides.
    case 'movedOn': {
      const found = await retrieveIntent(api, id);
      return found.kind === 'answer' ? outcomeOfClosed(api, reference, found.value) : unknownOf(found);
    }
    default:
      return whenDeclined(api, reference, outcomeOfRefused(confirmed, id));
  }
}

function kept(storing: Promise<void>): Promise<boolean> {
  return storing.then(
    () => true,
    () => false,
  );
}
