/** The adapter to Stripe, built on its official package. */
import { assertCapability, assertCurrencyDeclared } from '../capabilities.ts';
import { RailListFailed } from '../lists.ts';
import type { RailUnknown } from '../outcomes.ts';
import type { Rail, RailTrust } from '../rail.ts';
import type { RailAccount } from '../rail-account.ts';
import { askAccount, probe } from './account/probe.ts';
import { type OnSkipped, openStripe, type StripeApi, type StripePlace } from './core/client.ts';
import { CREDENTIAL_FIELDS, credentialOf } from './core/credential.ts';
import { parseWebhook } from './core/webhook.ts';
import { listDisputes } from './disputes.ts';
import { fieldsDocument, STRIPE_SCRIPT_URL } from './fields-document.ts';
import { accountSource } from './import/index.ts';
import { listDisputesSince, listRefundsSince, listSince } from './list-since.ts';
import { authorize, chargeStored } from './payment/attempt.ts';
import { cardOf } from './payment/card-of.ts';
import { cancel, lookup } from './payment/look-up.ts';
import { lookupRefund, refund, refundedTotal } from './refund.ts';

export interface StripeRailOptions {
  /** Base URL under which this API serves card-field documents, preferably on another host than the page. */
  readonly fieldsUrl: string;
  /** Differs from Stripe's in tests only, like `scriptUrl`. */
  readonly apiUrl?: string | undefined;
  readonly scriptUrl?: string | undefined;
  readonly onSkipped?: OnSkipped;
}

const STRIPE_API_URL = 'https://api.stripe.com';
const NO_CREDENTIAL: RailUnknown = { kind: 'unknown', reason: 'account_refused' };

/** Stripe's guarantees. */
const TRUST: RailTrust = {
  // Stripe stores a key's answer for at least a day.
  idempotentAuthorize: true,
  // A cancelled intent can never be confirmed; but an intent whose creation is still in flight cannot be cancelled.
  cancelHolds: false,
  // Lists and look-ups are immediately consistent; the lag covers a call that was aborted at its deadline.
  lookupLagMs: 10_000,
  // The search index normally lags by less than a minute, but by up to an hour during incidents at Stripe.
  searchLagMs: 3_600_000,
};

export function createStripeRail(options: StripeRailOptions): Rail {
  const { apiUrl = STRIPE_API_URL, scriptUrl = STRIPE_SCRIPT_URL, onSkipped = () => {} } = options;
  const fieldsUrl = options.fieldsUrl.replace(/\/$/, '');
  const place = { apiUrl, onSkipped };
  const { withStripe, opened } = openerFor(place);

  return {
    name: 'stripe',
    trust: TRUST,

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

    refundedTotal: (request) => withStripe(request, refundedTotal),

    listDisputes: (request) => withStripe(request, listDisputes),

    askAccount: (request) => withStripe(request, askAccount),

    listSince: async (account, sinceInstant, signal) =>
      listSince(opened(account, signal), account, sinceInstant),

    listRefundsSince: async (account, sinceInstant, signal) =>
      listRefundsSince(opened(account, signal), account, sinceInstant),

    listDisputesSince: async (account, sinceInstant, signal) =>
      listDisputesSince(opened(account, signal), sinceInstant),

    parseWebhook,

    publicConfig: (account, request) => publicConfig(fieldsUrl, account, request),

    async cardOf(account, methodToken, signal) {
      const api = openStripe(place, account, signal);
      return api && cardOf(api, methodToken);
    },

    fieldsDocument(account, request) {
      const publishableKey = credentialOf(account)?.publishableKey ?? '';
      return fieldsDocument({ publishableKey, scriptUrl }, request);
    },

    credentialFields: CREDENTIAL_FIELDS,

    source: accountSource(opened),

    probe: (account, signal) => probe(account, openStripe(place, account, signal), fieldsUrl),
  };
}

/** Returns functions that open Stripe with an account's credential, or fail without a usable one. */
function openerFor(place: StripePlace) {
  /** Calls Stripe, or returns an unknown outcome without a usable credential. */
  function withStripe<
    Request extends { readonly account: RailAccount; readonly signal: AbortSignal },
    Outcome,
  >(
    request: Request,
    ask: (api: StripeApi, request: Request) => Promise<Outcome>,
  ): Promise<Outcome | RailUnknown> {
    const api = openStripe(place, request.account, request.signal);
    return api ? ask(api, request) : Promise.resolve(NO_CREDENTIAL);
  }

  /** @throws RailListFailed */
  function opened(account: RailAccount, signal: AbortSignal): StripeApi {
    const api = openStripe(place, account, signal);
    if (!api) throw new RailListFailed('stripe', 'account_refused');
    return api;
  }

  return { withStripe, opened };
}

function publicConfig(
  fieldsUrl: string,
  account: RailAccount,
  { language, amountCents, currency }: Parameters<Rail['publicConfig']>[1],
): ReturnType<Rail['publicConfig']> {
  assertCapability(account, 'cardFields');
  const query = new URLSearchParams({ lang: language, amount: `${amountCents}`, currency });
  return {
    fieldsUrl: `${fieldsUrl}/rails/stripe/${encodeURIComponent(account.id)}/fields?${query}`,
    fieldsOrigin: new URL(fieldsUrl).origin,
    // Stripe opens the device's own wallet sheet, even with test keys.
    simulatedWallets: false,
  };
}
