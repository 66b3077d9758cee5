/**
 * Attempts: every intent is created unconfirmed, its id is kept by the service, and only then a second call
 * confirms it, which is the one that can move money. Each call has a key of its own under the attempt's.
 */
import { z } from 'zod';
import type { AuthorizeRequest, ChargeStoredRequest, RailOutcome } from '../rail.ts';
import { type Answer, call } from './call.ts';
import type { StripeApi } from './client.ts';
import { whenDeclined } from './close.ts';
import { type Intent, intentSchema } from './intent.ts';
import { retrieveIntent } from './intents.ts';
import { parseMandate } from './mandate.ts';
import { outcomeOf } from './outcome.ts';
import { outcomeOfRefused } from './refused.ts';

const CARDS_ONLY = { allowed_payment_method_types: ['card' as const] };
const EXPAND = { expand: ['payment_method'] };
const customerSchema = z.object({ id: z.string().min(1) });

type AttemptRequest = AuthorizeRequest | ChargeStoredRequest;

/** The buyer is there: a challenge comes back as a URL. */
export async function authorize(api: StripeApi, request: AuthorizeRequest): Promise<RailOutcome> {
  const { methodToken, challengeReturnUrl } = request;
  const onlyStores = request.amountCents === 0;
  const saveMandate = request.saveMandate || onlyStores;
  const customer = saveMandate ? await createCustomer(api, request) : null;
  if (customer && customer.kind !== 'answer') return outcomeOfRefused(customer, null);
  const method = {
    ...(customer && { customer: customer.value.id }),
    payment_method: methodToken,
  };
  const confirmation = { return_url: challengeReturnUrl, ...EXPAND };
  if (onlyStores) {
    return attempt(api, request, {
      create: (options) =>
        call(api, intentSchema, (stripe) =>
          stripe.setupIntents.create(
            { ...method, ...CARDS_ONLY, usage: 'off_session', metadata: metadataOf(request) },
            options,
          ),
        ),
      confirm: (id, options) =>
        call(api, intentSchema, (stripe) => stripe.setupIntents.confirm(id, confirmation, options)),
    });
  }
  return attempt(api, request, {
    create: (options) =>
      createPaymentIntent(
        api,
        request,
        {
          ...method,
          ...(saveMandate && { setup_future_usage: 'off_session' }),
        },
        options,
      ),
    confirm: (id, options) =>
      call(api, intentSchema, (stripe) => stripe.paymentIntents.confirm(id, confirmation, options)),
  });
}

/** The buyer is not there: where their bank wants them, the charge is declined and says so. */
export async function chargeStored(api: StripeApi, request: ChargeStoredRequest): Promise<RailOutcome> {
  const mandate = parseMandate(request.mandate);
  if (!mandate) return UNUSABLE_MANDATE;
  const { customer, paymentMethod: payment_method } = mandate;
  const outcome = await attempt(api, request, {
    create: async (options) => {
      const created = await createPaymentIntent(api, request, { customer, payment_method }, options);
      return created.kind === 'declined' ? { ...created, retryable: false } : created;
    },
    confirm: (id, options) =>
      call(api, intentSchema, (stripe) =>
        stripe.paymentIntents.confirm(id, { off_session: true, ...EXPAND }, options),
      ),
  });
  return outcome.kind === 'challenge' ? nobodyThere(api, request, outcome) : outcome;
}

const UNUSABLE_MANDATE: RailOutcome = {
  kind: 'declined',
  code: 'processing_error',
  retryable: false,
  railReference: null,
  method: null,
};

interface Steps {
  create(options: Options): Promise<Answer<Intent>>;
  confirm(id: string, options: Options): Promise<Answer<Intent>>;
}

interface Options {
  readonly idempotencyKey: string;
}

async function attempt(
  api: StripeApi,
  request: AttemptRequest,
  { create, confirm }: Steps,
): Promise<RailOutcome> {
  const { idempotencyKey: key, remember, reference } = request;
  const created = await create({ idempotencyKey: `${key}:create` });
  if (created.kind !== 'answer') return outcomeOfRefused(created, null);
  const { id } = created.value;
  try {
    await remember(id);
  } catch {
    // The time is over, or the id could not be kept: the intent stays unconfirmed, a look-up ends it.
    return { kind: 'unknown', reason: 'not_sent' };
  }
  const confirmed = await confirm(id, { idempotencyKey: `${key}:confirm` });
  switch (confirmed.kind) {
    case 'answer':
      return whenDeclined(api, reference, outcomeOf(confirmed.value));
    // Somebody cancelled it in between, or this is a repetition: it says itself where it stands.
    case 'movedOn': {
      const found = await retrieveIntent(api, id);
      return found.kind === 'answer' ? outcomeOf(found.value) : outcomeOfRefused(found, id);
    }
    default:
      return whenDeclined(api, reference, outcomeOfRefused(confirmed, id));
  }
}

function createPaymentIntent(
  api: StripeApi,
  request: AttemptRequest,
  method: {
    readonly payment_method: string;
    readonly customer?: string;
    readonly setup_future_usage?: 'off_session';
  },
  options: Options,
): Promise<Answer<Intent>> {
  const { amountCents: amount, currency } = request;
  return call(api, intentSchema, (stripe) =>
    stripe.paymentIntents.create(
      { amount, currency: currency.toLowerCase(), ...method, ...CARDS_ONLY, metadata: metadataOf(request) },
      options,
    ),
  );
}

/** A mandate hangs on a customer; one of its own for each, without anything personal. */
function createCustomer(api: StripeApi, request: AuthorizeRequest): Promise<Answer<{ readonly id: string }>> {
  const options = { idempotencyKey: `${request.idempotencyKey}:customer` };
  return call(api, customerSchema, (stripe) =>
    stripe.customers.create({ metadata: metadataOf(request) }, options),
  );
}

function metadataOf({ reference, account }: AttemptRequest) {
  return { reference, rail_account: account.id, merchant: account.merchantId };
}

/** A bank that wants a challenge of somebody who is not there: the same as if it had declined for that. */
function nobodyThere(
  api: StripeApi,
  { reference }: ChargeStoredRequest,
  { railReference, method }: Extract<RailOutcome, { kind: 'challenge' }>,
): Promise<RailOutcome> {
  const code = 'authentication_required';
  return whenDeclined(api, reference, { kind: 'declined', code, retryable: false, railReference, method });
}
