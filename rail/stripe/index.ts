/** The adapter to Stripe, on its official package. Outcomes are data (`rail/rail.ts`). */
import { assertCapability, assertCurrencyDeclared } from '../capabilities.ts';
import type { Rail, RailAccount, RailUnknown } from '../rail.ts';
import { authorize, chargeStored } from './attempt.ts';
import { openStripe, type StripeApi } from './client.ts';
import { CREDENTIAL_FIELDS, credentialOf } from './credential.ts';
import { fieldsDocument, STRIPE_SCRIPT_URL } from './fields-document.ts';
import { listSince } from './list-since.ts';
import { cancel, lookup } from './look-up.ts';
import { probe } from './probe.ts';
import { lookupRefund, refund } from './refund.ts';
import { StripeListFailed } from './refusal.ts';
import { parseWebhook } from './webhook.ts';

export interface StripeRailOptions {
  /** Where this installation's API answers for card-field documents: best another host than the page's. */
  readonly fieldsUrl: string;
  /** Another than Stripe's in tests only. */
  readonly apiUrl?: string | undefined;
  readonly scriptUrl?: string | undefined;
}

const STRIPE_API_URL = 'https://api.stripe.com';
const NO_CREDENTIAL: RailUnknown = { kind: 'unknown', reason: 'account_refused' };

export function createStripeRail(options: StripeRailOptions): Rail {
  const { apiUrl = STRIPE_API_URL, scriptUrl = STRIPE_SCRIPT_URL } = options;
  const fieldsUrl = options.fieldsUrl.replace(/\/$/, '');

  function withStripe<
    Request extends { readonly account: RailAccount; readonly signal: AbortSignal },
    Outcome,
  >(
    request: Request,
    ask: (api: StripeApi, request: Request) => Promise<Outcome>,
  ): Promise<Outcome | RailUnknown> {
    const api = openStripe(apiUrl, request.account, request.signal);
    return api ? ask(api, request) : Promise.resolve(NO_CREDENTIAL);
  }

  return {
    name: 'stripe',
    trust: {
      // Stripe keeps what it answered to a key for at least a day.
      idempotentAuthorize: true,
      // An intent that is cancelled can never be confirmed; but one whose creation is still on its way cannot
      // be cancelled, so this does not hold for a reference that Stripe has not heard of.
      cancelHolds: false,
      // Lists and look-ups show at once what was created; this is for a call that was cut off at its deadline.
      lookupLagMs: 10_000,
    },

    async authorize(request) {
      assertCurrencyDeclared(request.account, request.currency);
      if (request.saveMandate) assertCapability(request.account, 'recurring');
      return withStripe(request, authorize);
    },

    lookup: (request) => withStripe(request, lookup),

    cancel: (request) => withStripe(request, cancel),

    async chargeStored(request) {
      assertCurrencyDeclared(request.account, request.currency);
      assertCapability(request.account, 'recurring');
      return withStripe(request, chargeStored);
    },

    async refund(request) {
      assertCapability(request.account, 'refunds');
      return withStripe(request, refund);
    },

    lookupRefund: (request) => withStripe(request, lookupRefund),

    async listSince(account, sinceInstant, signal) {
      const api = openStripe(apiUrl, account, signal);
      if (!api) throw new StripeListFailed('account_refused');
      return listSince(api, account, sinceInstant);
    },

    parseWebhook,

    publicConfig(account, { language, amountCents, currency }) {
      assertCapability(account, 'cardFields');
      const query = new URLSearchParams({ lang: language, amount: `${amountCents}`, currency });
      return {
        fieldsUrl: `${fieldsUrl}/rails/stripe/${encodeURIComponent(account.id)}/fields?${query}`,
        fieldsOrigin: new URL(fieldsUrl).origin,
        // Stripe opens the device's own sheet, with test keys too.
        simulatedWallets: false,
      };
    },

    fieldsDocument(account, request) {
      const publishableKey = credentialOf(account)?.publishableKey ?? '';
      return fieldsDocument({ publishableKey, scriptUrl }, request);
    },

    credentialFields: CREDENTIAL_FIELDS,

    probe: (account, signal) => probe(account, openStripe(apiUrl, account, signal), fieldsUrl),
  };
}
