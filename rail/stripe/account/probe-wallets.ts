/** Finds wallets that are enabled for the account and for which the card fields' host is registered at Stripe. */
import { z } from 'zod';
import { WALLETS, type Wallet } from '../../../domain/payment/payment-method.ts';
import type { RailFinding } from '../../../domain/payment/rail-finding.ts';
import { type Answer, call } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import { bad, good, reasonOf, why } from './findings.ts';

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
): Promise<{ readonly wallets: readonly Wallet[]; readonly findings: readonly RailFinding[] }> {
  const configurations = await call(api, configurationsSchema, (stripe) =>
    stripe.paymentMethodConfigurations.list({ limit: 100 }),
  );
  if (configurations.kind !== 'answer') return unread('payment method settings', configurations);
  const domains = await call(api, domainsSchema, (stripe) =>
    stripe.paymentMethodDomains.list({ domain_name: host, enabled: true }),
  );
  if (domains.kind !== 'answer') return unread('registered domains', domains);
  const settings = configurations.value.data.find(
    (each) => each.active && each.is_default && !each.application,
  );
  const domain = domains.value.data.find(({ domain_name: name, enabled }) => name === host && enabled);

  const wallets: Wallet[] = [];
  const findings: RailFinding[] = [];
  for (const wallet of WALLETS) {
    if (!settings?.[wallet]?.available) continue;
    if (domain?.[wallet].status === 'active') {
      wallets.push(wallet);
      findings.push(good('wallet_taken', `It can take ${WORDS[wallet]}.`, { wallet: WORDS[wallet] }));
    } else {
      const text = `${WORDS[wallet]} is switched on, but ${host} is not registered for it at Stripe.`;
      findings.push(bad('wallet_not_registered', text, { wallet: WORDS[wallet], host }));
    }
  }
  return { wallets, findings };
}

function unread(what: string, answer: Exclude<Answer<unknown>, { kind: 'answer' }>) {
  const text = `It is unknown which wallets it can take: reading its ${what}: ${why(answer)}.`;
  return { wallets: [], findings: [bad('wallets_unknown', text, { why: reasonOf(answer) })] };
}
