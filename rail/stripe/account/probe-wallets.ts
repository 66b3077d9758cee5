/**
 * The wallets that are switched on for the account and for which the card fields' host is registered at
 * Stripe.
 */
import { z } from 'zod';
import { WALLETS, type Wallet } from '../../../domain/payment-method.ts';
import { call } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import { bad, type Finding, good, why } from './findings.ts';

const WORDS: Readonly<Record<Wallet, string>> = { apple_pay: 'Apple Pay', google_pay: 'Google Pay' };

const method = z.object({ available: z.boolean() }).nullish();
const configurationsSchema = z.object({
  data: z.array(
    z.object({
      active: z.boolean(),
      is_default: z.boolean(),
      application: z.string().nullish(),
      apple_pay: method,
      google_pay: method,
    }),
  ),
});
const status = z.object({ status: z.string() });
const domainsSchema = z.object({
  data: z.array(
    z.object({ domain_name: z.string(), enabled: z.boolean(), apple_pay: status, google_pay: status }),
  ),
});

export async function probeWallets(
  api: StripeApi,
  host: string,
): Promise<{ readonly wallets: readonly Wallet[]; readonly findings: readonly Finding[] }> {
  const configurations = await call(api, configurationsSchema, (stripe) =>
    stripe.paymentMethodConfigurations.list({ limit: 100 }),
  );
  if (configurations.kind !== 'answer') return unread(`payment method settings: ${why(configurations)}`);
  const domains = await call(api, domainsSchema, (stripe) =>
    stripe.paymentMethodDomains.list({ domain_name: host, enabled: true }),
  );
  if (domains.kind !== 'answer') return unread(`registered domains: ${why(domains)}`);
  const settings = configurations.value.data.find(
    (each) => each.active && each.is_default && !each.application,
  );
  const domain = domains.value.data.find(({ domain_name: name, enabled }) => name === host && enabled);

  const wallets: Wallet[] = [];
  const findings: Finding[] = [];
  for (const wallet of WALLETS) {
    if (!settings?.[wallet]?.available) continue;
    if (domain?.[wallet].status === 'active') {
      wallets.push(wallet);
      findings.push(good(`It can take ${WORDS[wallet]}.`));
    } else {
      findings.push(bad(`${WORDS[wallet]} is switched on, but ${host} is not registered for it at Stripe.`));
    }
  }
  return { wallets, findings };
}

function unread(what: string) {
  return { wallets: [], findings: [bad(`Its wallets are unknown: reading its ${what}.`)] };
}
