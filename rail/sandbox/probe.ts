/** Asks the sandbox rail what an account can do. */
import { z } from 'zod';
import { CURRENCIES } from '../../domain/money.ts';
import { WALLETS } from '../../domain/payment-method.ts';
import type { RailAccount, RailCredentialField, RailProbe } from '../rail-account.ts';
import { credentialOf } from './credential.ts';
import { callRail } from './http.ts';

export const CREDENTIAL_FIELDS: readonly RailCredentialField[] = [
  {
    name: 'account',
    environmentVariable: 'SANDBOX_RAIL_ACCOUNT',
    description: 'the id of the account at the rail',
  },
  { name: 'secret', environmentVariable: 'SANDBOX_RAIL_SECRET', description: 'its bearer credential' },
  {
    name: 'webhookSecret',
    environmentVariable: 'SANDBOX_RAIL_WEBHOOK_SECRET',
    description: 'the signing secret of its webhooks, whsec_…',
  },
];

const accountSchema = z.object({
  id: z.string(),
  status: z.enum(['activating', 'active', 'disabled']),
  currencies: z.array(z.string()),
  wallets: z.array(z.enum(WALLETS)),
});

export async function probe(baseUrl: string, account: RailAccount, signal: AbortSignal): Promise<RailProbe> {
  const credential = credentialOf(account);
  if (!credential) return nothing('The credential needs account, secret and webhookSecret.');
  const call = { account, operation: 'showAccount', method: 'GET', path: '/v1/account' } as const;
  const answer = await callRail(baseUrl, { ...call, answer: accountSchema, signal });
  if (answer.kind !== 'answer') {
    const why = answer.kind === 'unknown' ? answer.reason : answer.kind;
    return nothing(`The rail could not be asked with these credentials (${why}).`);
  }
  const { id, status, currencies, wallets } = answer.body;
  // The page requests the card fields by this id: with a wrong one they would not load.
  if (id !== credential.account) return nothing('The secret belongs to another account.');
  const sold = CURRENCIES.map((currency) => ({ currency, ok: currencies.includes(currency) }));
  return {
    usable: status === 'active' && sold.some(({ ok }) => ok),
    identity: id,
    // Refunds are declared by hand, so that their refusal can be tried.
    capabilities: { cardFields: true, recurring: true, wallets, refunds: false, currencies },
    findings: [
      { ok: status === 'active', text: `The account ${id} is ${status} at the rail.` },
      ...sold.map(({ currency, ok }) => ({
        ok,
        text: ok ? `It takes cards in ${currency}.` : `It does not take ${currency}.`,
      })),
    ],
  };
}

function nothing(text: string): RailProbe {
  return {
    usable: false,
    identity: null,
    capabilities: { cardFields: false, recurring: false, wallets: [], refunds: false, currencies: [] },
    findings: [{ ok: false, text }],
  };
}
