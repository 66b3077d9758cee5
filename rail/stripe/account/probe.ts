/** Asks Stripe for an account's capabilities. */
import { z } from 'zod';
import type { RailCapabilities } from '../../../domain/payment/rail-capabilities.ts';
import type { RailFinding } from '../../../domain/payment/rail-finding.ts';
import type { AccountAnswer } from '../../outcomes.ts';
import type { RailAccount, RailProbe } from '../../rail-account.ts';
import { call } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import { complaintsAbout } from '../core/credential.ts';
import { unknownOf } from '../core/refused.ts';
import { NEEDED_EVENTS } from '../core/webhook.ts';
import { bad, good, reasonOf, why } from './findings.ts';
import { probePublishableKey, probePurchases } from './probe-purchases.ts';
import { probeWallets } from './probe-wallets.ts';

const accountSchema = z.object({
  id: z.string().min(1),
  charges_enabled: z.boolean().nullish(),
  country: z.string().nullish(),
});
const showAccount = (api: StripeApi) =>
  call(api, accountSchema, (stripe) => stripe.accounts.retrieveCurrent());
const idSchema = z.object({ id: z.string().min(1) });
const endpointsSchema = z.object({
  data: z.array(z.object({ url: z.string(), status: z.string(), enabled_events: z.array(z.string()) })),
});

export async function askAccount(api: StripeApi): Promise<AccountAnswer> {
  const who = await showAccount(api);
  if (who.kind !== 'answer') return unknownOf(who);
  if (who.value.charges_enabled !== false) return { kind: 'active' };
  return { kind: 'unknown', reason: 'account_refused', detail: 'charges_enabled is false' };
}

export async function probe(
  account: RailAccount,
  api: StripeApi | null,
  fieldsUrl: string,
): Promise<RailProbe> {
  const complaints = complaintsAbout(account);
  if (!api || complaints.length > 0) return nothing(complaints);
  const who = await showAccount(api);
  if (who.kind !== 'answer') {
    const text = `The account could not be queried: ${why(who)}.`;
    return nothing([bad('account_not_asked', text, { why: reasonOf(who) })]);
  }
  const { id: identity, charges_enabled: enabled, country } = who.value;

  const { sales, stores, intent } = await probePurchases(api, account);
  const mismatch = intent && (await probePublishableKey(api, account.credential, intent, identity));
  if (mismatch) return nothing([mismatch]);
  const refunds = await call(api, z.object({ data: z.array(idSchema) }), (stripe) =>
    stripe.refunds.list({ limit: 1 }),
  );
  const wallets = await probeWallets(api, new URL(fieldsUrl).hostname);
  const currencies = sales.filter(({ finding }) => finding.ok).map(({ currency }) => currency);
  const capabilities: RailCapabilities = {
    cardFields: true,
    recurring: stores.ok,
    wallets: wallets.wallets,
    refunds: refunds.kind === 'answer',
    currencies,
  };
  const findings = [
    good(
      'account_found',
      `The key belongs to the Stripe account ${identity}${country ? ` (${country})` : ''}.`,
      {
        account: identity,
      },
    ),
    ...(enabled === false ? [bad('charges_off', 'Charges are disabled for this account at Stripe.')] : []),
    ...sales.map(({ finding }) => finding),
    stores,
    refunds.kind === 'answer'
      ? good(
          'refunds_read',
          'It can read refunds; only the first refund shows whether the key may also create them.',
        )
      : bad('refunds_not_possible', `It cannot refund: ${why(refunds)}.`, { why: reasonOf(refunds) }),
    ...wallets.findings,
    await hearsWebhooks(api, account),
  ];
  return { usable: currencies.length > 0 && enabled !== false, identity, capabilities, findings };
}

/** Checks webhooks, which are optional: without them the service polls, and learns outcomes later. */
async function hearsWebhooks(api: StripeApi, { id, credential }: RailAccount): Promise<RailFinding> {
  const path = `/rails/stripe/${id}/webhooks`;
  const events = NEEDED_EVENTS.join(', ');
  if (!credential.webhookSecret) {
    const text = `It has no webhook secret yet: ${endpointToCreate(path)}, and set its secret.`;
    return bad('webhook_secret_missing', text, { path, events });
  }
  const listed = await call(api, endpointsSchema, (stripe) => stripe.webhookEndpoints.list({ limit: 100 }));
  if (listed.kind !== 'answer') {
    const text = `Its webhook endpoints cannot be read: ${why(listed)}.`;
    return bad('webhooks_not_read', text, { why: reasonOf(listed) });
  }
  const ours = listed.value.data.find(({ url, status }) => status === 'enabled' && url.endsWith(path));
  if (!ours)
    return bad(
      'webhook_endpoint_missing',
      `No webhook endpoint sends its events here, so the service has to poll: ${endpointToCreate(path)}.`,
      { path, events },
    );
  const { enabled_events: enabled } = ours;
  const missing = enabled.includes('*') ? [] : NEEDED_EVENTS.filter((event) => !enabled.includes(event));
  return missing.length === 0
    ? good('webhooks_complete', 'Its webhook endpoint sends every event that the service needs.')
    : bad('webhook_events_missing', `Its webhook endpoint does not send ${missing.join(', ')}.`, {
        events: missing.join(', '),
      });
}

/** Names only the endpoint's path, because the adapter does not know the API's public URL. */
function endpointToCreate(path: string): string {
  return `create an endpoint at Stripe whose URL ends with ${path} and that sends ${NEEDED_EVENTS.join(', ')}`;
}

function nothing(findings: readonly RailFinding[]): RailProbe {
  const capabilities = { cardFields: false, recurring: false, wallets: [], refunds: false, currencies: [] };
  return { usable: false, identity: null, capabilities, findings };
}
