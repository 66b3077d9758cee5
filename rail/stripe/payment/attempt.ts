/** The requests of an attempt's steps (`attempt-steps.ts`), on-session and off-session. */

import type { RailOutcome } from '../../outcomes.ts';
import type { AuthorizeRequest, ChargeStoredRequest } from '../../requests.ts';
import { type Answer, call } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import { metadataOf } from '../core/metadata.ts';
import { type AttemptSteps, inSteps, type KeyOption } from './attempt-steps.ts';
import { whenDeclined } from './close.ts';
import { createCustomer } from './customer.ts';
import { type Intent, intentSchema } from './intent-schema.ts';
import { parseMandate } from './mandate.ts';

const CARDS_ONLY = { allowed_payment_method_types: ['card' as const] };
const EXPAND = { expand: ['payment_method'] };

/** Charges on-session: a challenge is returned as a URL. */
export function authorize(api: StripeApi, request: AuthorizeRequest): Promise<RailOutcome> {
  const { reference, account } = request;
  // Metadata without the quantity, so that an attempt repeated after a loss of data finds this customer (rule 29).
  const ofCustomer = metadataOf({ reference, account });
  const customer: AttemptSteps['customer'] = (options) => createCustomer(api, ofCustomer, options);
  const intent = request.amountCents === 0 ? setupSteps(api, request) : paymentSteps(api, request);
  return inSteps(api, request, { customer, ...intent });
}

type IntentSteps = Omit<AttemptSteps, 'customer'>;

/** Returns the steps of a trial, which stores the card with strong authentication and moves no money. */
function setupSteps(api: StripeApi, request: AuthorizeRequest): IntentSteps {
  const { methodToken: payment_method, challengeReturnUrl: return_url } = request;
  const metadata = metadataOf(request);
  return {
    create: (customer, options) =>
      call(api, intentSchema, (stripe) =>
        stripe.setupIntents.create(
          { customer, payment_method, ...CARDS_ONLY, usage: 'off_session', metadata },
          options,
        ),
      ),
    confirm: (id, options) =>
      call(api, intentSchema, (stripe) =>
        stripe.setupIntents.confirm(id, { return_url, ...EXPAND }, options),
      ),
  };
}

function paymentSteps(api: StripeApi, request: AuthorizeRequest): IntentSteps {
  const { methodToken: payment_method, challengeReturnUrl: return_url, saveMandate } = request;
  const stored = saveMandate && { setup_future_usage: 'off_session' as const };
  return {
    create: (customer, options) =>
      createPaymentIntent(api, request, { customer, payment_method, ...stored }, options),
    confirm: (id, options) =>
      call(api, intentSchema, (stripe) =>
        stripe.paymentIntents.confirm(id, { return_url, ...EXPAND }, options),
      ),
  };
}

/** Charges off-session: if the bank requires authentication, the charge is declined (`authentication_required`). */
export async function chargeStored(api: StripeApi, request: ChargeStoredRequest): Promise<RailOutcome> {
  const mandate = parseMandate(request.mandate);
  if (!mandate) return UNUSABLE_MANDATE;
  const outcome = await inSteps(api, request, {
    customer: async () => ({ kind: 'answer', value: mandate.customer }),
    create: async (customer, options) => {
      const method = { customer, payment_method: mandate.paymentMethod };
      const created = await createPaymentIntent(api, request, method, options);
      return created.kind === 'declined' ? { ...created, retryable: false } : created;
    },
    confirm: (id, options) =>
      call(api, intentSchema, (stripe) =>
        stripe.paymentIntents.confirm(id, { off_session: true, ...EXPAND }, options),
      ),
  });
  return outcome.kind === 'challenge' ? declineChallenge(api, request, outcome) : outcome;
}

const UNUSABLE_MANDATE: RailOutcome = {
  kind: 'declined',
  code: 'processing_error',
  retryable: false,
  railReference: null,
  method: null,
};

interface PayingMethod {
  readonly customer: string;
  readonly payment_method: string;
  readonly setup_future_usage?: 'off_session';
}

function createPaymentIntent(
  api: StripeApi,
  request: AuthorizeRequest | ChargeStoredRequest,
  method: PayingMethod,
  options: KeyOption,
): Promise<Answer<Intent>> {
  const { amountCents: amount, currency } = request;
  return call(api, intentSchema, (stripe) =>
    stripe.paymentIntents.create(
      { amount, currency: currency.toLowerCase(), ...method, ...CARDS_ONLY, metadata: metadataOf(request) },
      options,
    ),
  );
}

/** Closes the intent of an off-session challenge, which nobody can complete, and reports the decline. */
function declineChallenge(
  api: StripeApi,
  { reference }: ChargeStoredRequest,
  { railReference, method }: Extract<RailOutcome, { kind: 'challenge' }>,
): Promise<RailOutcome> {
  const code = 'authentication_required';
  return whenDeclined(api, reference, { kind: 'declined', code, retryable: false, railReference, method });
}
