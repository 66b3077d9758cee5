/** `npm start -- --rail stripe`: connects the demo shop to a real Stripe account in test mode. */
import { setRailAccount } from '../api/merchant/rail-accounts/account-changes.ts';
import { openPool } from '../db/core/pool.ts';
import { disableRailAccount, railAccountsOf } from '../db/merchant/rail-accounts.ts';
import { SecretBox } from '../platform/secrets/encryption.ts';
import type { Preparation } from '../sandbox/stack/stack.ts';
import { readRailConfig } from './config/read.ts';
import { createRails } from './rails.ts';

const KEYS = {
  STRIPE_SECRET_KEY: 'secretKey',
  STRIPE_PUBLISHABLE_KEY: 'publishableKey',
  STRIPE_WEBHOOK_SECRET: 'webhookSecret',
} as const;

/** @returns a message with the missing variables; null if none is missing */
export function whatStripeNeeds(env: NodeJS.ProcessEnv): string | null {
  const missing = Object.keys(KEYS).filter((name) => !env[name]?.trim());
  if (missing.length === 0) return null;
  return `--rail stripe needs the keys of a Stripe test account; missing: ${missing.join(', ')}.

  STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY   from https://dashboard.stripe.com/test/apikeys
  STRIPE_WEBHOOK_SECRET                       from \`stripe listen --print-secret\``;
}

/**
 * Connects the first merchant, the demo shop's, to the Stripe account of the keys. @returns the rail
 * account's id @throws Error with the account's missing capabilities
 */
export async function useStripe(preparation: Preparation, env: NodeJS.ProcessEnv): Promise<string> {
  const [shop] = preparation.merchants;
  if (!shop) throw new Error('there is no demo merchant');
  const credential = Object.fromEntries(
    Object.entries(KEYS).map(([variable, name]) => [name, env[variable]?.trim() ?? '']),
  );
  const pool = await openPool({ url: preparation.databaseUrl, maxConnections: 1 });
  try {
    const scope = { merchantId: shop.id, environment: 'sandbox' } as const;
    for (const { rail, rail_account_id: id } of await railAccountsOf(pool, scope)) {
      if (rail !== 'stripe') await disableRailAccount(pool, id);
    }
    const rails = createRails({ rails: readRailConfig(env, 'http://localhost') });
    const context = {
      pool,
      rails,
      secretBox: new SecretBox(preparation.secretsKey),
      secondPersonAbove: null,
      apiKeyPepper: () => preparation.apiKeyPepper,
    };
    const by = { actor: { actor: 'npm start' }, timeoutMs: 60_000 };
    const input = { scope, rail: 'stripe', credential, ...by, replace: false };
    const answer = await setRailAccount(context, input);
    if (answer.kind === 'refused')
      throw new Error(`${answer.why}\nOr start over: npm start -- --rail stripe --fresh`);
    const { accountId, probe } = answer;
    if (!probe.usable) throw new Error(probe.findings.map(({ text }) => text).join('\n'));
    return accountId;
  } finally {
    await pool.end();
  }
}
