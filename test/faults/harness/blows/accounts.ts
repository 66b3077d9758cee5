/** Replaces the merchant's account at the rail, and later restores it: stored methods are bound to their account. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Random } from '../core/random.ts';
import { atRail } from '../place/at-rail.ts';
import { runOps } from '../place/ops.ts';
import type { Place } from '../place/place.ts';
import type { AccountAtRail } from '../place/processes.ts';
import type { Blow, Victims } from './blow.ts';

const REPLACED_MS = [3_000, 9_000] as const;

export function blowsToAccounts({ place }: Victims): readonly Blow[] {
  return [{ kind: 'the rail account is replaced', isSlow: true, strike: (random) => replace(place, random) }];
}

/** May be repeated as a whole after a failure: setting the account that is already in use has no effect. */
async function replace(place: Place, random: Random): Promise<string> {
  const { railAccountId: id, railSecret: secret, otherAccount } = place.merchant;
  const replacedMs = random.between(...REPLACED_MS);
  await sendWebhooks(place, otherAccount, await use(place, otherAccount));
  await pause(replacedMs);
  await use(place, { id, secret, webhookSecret: place.railWebhookSecret });
  return `for ${replacedMs} ms`;
}

/** @returns the account's id here */
async function use(place: Place, { id, secret, webhookSecret }: AccountAtRail): Promise<string> {
  const credential = {
    SANDBOX_RAIL_ACCOUNT: id,
    SANDBOX_RAIL_SECRET: secret,
    SANDBOX_RAIL_WEBHOOK_SECRET: webhookSecret,
  };
  const scope = [place.merchant.id, '--environment', 'sandbox', '--rail', 'sandbox'];
  const told = await runOps(
    { env: { ...place.env, ...credential } },
    'rail',
    'set',
    ...scope,
    '--replace',
    '--json',
  );
  const account = JSON.parse(told);
  if (!account.usable) throw new Error(`${id} cannot take money: ${told}`);
  await declareRefunds(place, account.accountId);
  return account.accountId;
}

/** The sandbox rail declares no refunds, so a run that replaces the account early would otherwise have none. */
async function declareRefunds(place: Place, accountId: string): Promise<void> {
  const client = new pg.Client({ connectionString: place.env.DATABASE_URL });
  await client.connect();
  try {
    const declared = `update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = $1`;
    await client.query(declared, [accountId]);
  } finally {
    await client.end();
  }
}

/** Registers this account's webhook URL at the rail, because the bank also disputes its charges. */
async function sendWebhooks(place: Place, account: AccountAtRail, accountId: string): Promise<void> {
  const webhookUrl = `${place.railWebhooksUrl}/${accountId}/webhooks`;
  const { status } = await atRail(place, 'POST', '/admin/accounts', { ...account, webhookUrl });
  if (status !== 200) throw new Error(`the rail answers ${status} to ${webhookUrl}`);
}
