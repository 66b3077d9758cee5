/** Asks the sandbox rail for an account's capabilities. */
import { z } from 'zod';
import { CURRENCIES } from '../../domain/core/money.ts';
import { WALLETS } from '../../domain/payment/payment-method.ts';
import type { RailFinding } from '../../domain/payment/rail-finding.ts';
import type { AccountAnswer } from '../outcomes.ts';
import type { RailAccount, RailCredentialField, RailProbe } from '../rail-account.ts';
import type { AccountCall } from '../requests.ts';
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

const showAccount = (baseUrl: string, { account, signal }: AccountCall) =>
  callRail(baseUrl, {
    account,
    operation: 'showAccount',
    method: 'GET',
    path: '/v1/account',
    answer: accountSchema,
    signal,
  });

export async function askAccount(baseUrl: string, call: AccountCall): Promise<AccountAnswer> {
  const answer = await showAccount(baseUrl, call);
  if (answer.kind === 'unknown') return answer;
  if (answer.kind === 'notFound') return { kind: 'unknown', reason: 'malformed_answer' };
  if (answer.body.status === 'active') return { kind: 'active' };
  return { kind: 'unknown', reason: 'account_refused', detail: answer.body.status };
}

export async function probe(baseUrl: string, account: RailAccount, signal: AbortSignal): Promise<RailProbe> {
  if (account.environment === 'production') {
    const text =
      'The sandbox rail moves no money: production needs an account at a real rail, such as stripe.';
    return nothing({ code: 'credential_wrong_mode', values: { field: 'account' }, text });
  }
  const credential = credentialOf(account);
  if (!credential) {
    const missing = CREDENTIAL_FIELDS.map(({ name }) => name).find((name) => !account.credential[name]);
    const values = { field: missing ?? 'secret' };
    const text = 'The credential needs account, secret and webhookSecret.';
    return nothing({ code: 'credential_incomplete', values, text });
  }
  const answer = await showAccount(baseUrl, { account, signal });
  if (answer.kind !== 'answer') {
    const why = answer.kind === 'unknown' ? answer.reason : answer.kind;
    const text = `The rail could not be queried with these credentials (${why}).`;
    return nothing({ code: 'account_not_asked', values: { why }, text });
  }
  const { id, status, currencies, wallets } = answer.body;
  // The page loads the card fields by the account's id, so they would not load with a wrong id.
  if (id !== credential.account) {
    const text = 'The secret belongs to another account.';
    return nothing({ code: 'credential_of_other_account', values: {}, text });
  }
  const active = status === 'active';
  const sold = CURRENCIES.map((currency) => ({ currency, ok: currencies.includes(currency) }));
  return {
    usable: active && sold.some(({ ok }) => ok),
    identity: id,
    capabilities: { cardFields: true, recurring: true, wallets, refunds: true, currencies },
    findings: [
      {
        ok: active,
        code: active ? 'account_active' : 'account_not_active',
        values: { account: id, status },
        text: `The account ${id} is ${status} at the rail.`,
      },
      ...sold.map(({ currency, ok }) => ({
        ok,
        code: ok ? ('currency_taken' as const) : ('currency_not_taken' as const),
        values: { currency },
        text: ok ? `It takes cards in ${currency}.` : `It does not take ${currency}.`,
      })),
    ],
  };
}

function nothing(finding: Omit<RailFinding, 'ok'>): RailProbe {
  return {
    usable: false,
    identity: null,
    capabilities: { cardFields: false, recurring: false, wallets: [], refunds: false, currencies: [] },
    findings: [{ ok: false, ...finding }],
  };
}
