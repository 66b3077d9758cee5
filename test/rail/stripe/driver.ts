/** The contract's driver for the Stripe adapter, against the stateful double behind a fault-injecting proxy. */
import Stripe from 'stripe';
import type { RailCapabilities } from '../../../domain/payment/rail-capabilities.ts';
import type { Rail } from '../../../rail/rail.ts';
import type { RailAccount } from '../../../rail/rail-account.ts';
import { createStripeRail } from '../../../rail/stripe/index.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { eventually } from '../../support/core/eventually.ts';
import {
  accountOf,
  type FaultKind,
  type FaultyOperation,
  type RailDriver,
  type SentWebhook,
} from '../contract/driver.ts';
import { CARDS } from './double/cards.ts';
import { decideDispute, openDispute } from './double/disputes.ts';
import { startStripeDouble } from './double/server.ts';
import { type DoubleAccount, newAccount, newId, type SentEvent } from './double/state.ts';
import { type FaultProxy, startFaultProxy } from './proxy.ts';
import { loadDescription } from './stripe-mock.ts';

export const STRIPE_CAPABILITIES: RailCapabilities = {
  cardFields: true,
  recurring: true,
  wallets: [],
  refunds: true,
  currencies: ['EUR'],
};

/** The request that a fault affects: the one that can move or return money. */
const PLACES: Readonly<Record<FaultyOperation, { readonly method: string; readonly path: RegExp }>> = {
  authorize: { method: 'POST', path: /\/confirm$/ },
  chargeStored: { method: 'POST', path: /\/confirm$/ },
  lookup: { method: 'GET', path: /^\/v1\/(payment|setup)_intents\/\w+/ },
  cancel: { method: 'POST', path: /\/cancel$/ },
  refund: { method: 'POST', path: /^\/v1\/refunds$/ },
};

export interface StripeWorld extends RailDriver {
  readonly proxy: FaultProxy;
  readonly theirs: DoubleAccount;
}

export async function startStripeDriver(): Promise<StripeWorld> {
  const [main, other, disabled] = [newAccount('main'), newAccount('other'), newAccount('disabled')];
  disabled.enabled = false;
  const double = await startStripeDouble([main, other, disabled], await loadDescription());
  const proxy = await startFaultProxy(double.url);
  const rail = railAt(proxy.url);
  const account = ourAccount(main);

  return {
    proxy,
    theirs: main,
    rail,
    unreachableRail: railAt(`http://127.0.0.1:${await freePort()}`),
    account,
    otherAccount: ourAccount(other),
    disabledAccount: ourAccount(disabled),
    neverLogged: [main, other, disabled].flatMap(({ secretKey, webhookSecret }) => [
      secretKey,
      webhookSecret,
    ]),
    // The adapter logs nothing, and the double has no log.
    logs: () => '',

    completeChallenge,
    ...booksOf(main),
    ...webhooksOf(main, account),

    async token(behaviour) {
      const id = newId('pm');
      main.methods.set(id, { id, card: CARDS[behaviour], wallet: null, customer: null, used: false });
      return id;
    },

    callsReceived: async () => proxy.seen.length,

    async fault(operation, kind: FaultKind, options) {
      proxy.strike({ ...PLACES[operation], trouble: kind, ...options });
    },

    openDispute: async ({ railReference }) => openDispute(main, railReference),
    decideDispute: async ({ railReference }, status) => decideDispute(main, railReference, status),

    sign,

    async close() {
      await proxy.close();
      await double.close();
      if (double.violations.length > 0) {
        throw new Error(`the double violates Stripe's description:\n${double.violations.join('\n')}`);
      }
    },
  };
}

async function completeChallenge(url: string, result: 'approve' | 'fail'): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ result }),
    redirect: 'manual',
  });
  if (response.status !== 303) throw new Error(`the challenge page answered ${response.status}`);
}

function booksOf({ ledger }: DoubleAccount): Pick<RailDriver, 'charges' | 'refunds'> {
  return {
    charges: async (reference) =>
      ledger.filter((entry) => entry.reference === reference && entry.amount > 0).map(({ amount }) => amount),
    refunds: async (references) =>
      ledger
        .filter(({ reference, amount }) => references.includes(reference) && amount < 0)
        .map(({ amount }) => -amount),
  };
}

function webhooksOf(
  theirs: DoubleAccount,
  account: RailAccount,
): Pick<RailDriver, 'webhookAbout' | 'webhookAboutDispute'> {
  const webhook = (matches: (event: SentEvent) => boolean): Promise<SentWebhook> =>
    eventually(() => {
      const event = theirs.events.find(matches);
      if (!event) throw new Error('no such webhook yet');
      const headers = sign(account, event.rawBody, Math.floor(Date.now() / 1_000));
      return { rawBody: event.rawBody, headers };
    });
  return {
    webhookAbout: (reference) => webhook(({ rawBody }) => rawBody.includes(`"${reference}"`)),
    webhookAboutDispute: ({ railReference }) =>
      webhook(({ type, rawBody }) => type.startsWith('charge.dispute.') && rawBody.includes(railReference)),
  };
}

export function railAt(apiUrl: string): Rail {
  return createStripeRail({ apiUrl, fieldsUrl: 'https://fields.example' });
}

export function ourAccount({ id, secretKey, publishableKey, webhookSecret }: DoubleAccount): RailAccount {
  return accountOf('stripe', `ap_rac_${id}`, STRIPE_CAPABILITIES, {
    secretKey,
    publishableKey,
    webhookSecret,
  });
}

/** Uses the test helper of Stripe's package. */
export function sign(account: RailAccount, rawBody: Buffer, unixSeconds: number) {
  const header = Stripe.webhooks.generateTestHeaderString({
    payload: rawBody.toString('utf8'),
    secret: account.credential.webhookSecret ?? '',
    timestamp: unixSeconds,
  });
  return { 'stripe-signature': header };
}
