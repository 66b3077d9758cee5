/** The merchant's account at the rail is replaced, and replaced back: stored methods are bound to their account. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../core/random.ts';
import { runOps } from '../place/ops.ts';
import type { Place } from '../place/place.ts';
import type { AccountAtRail } from '../place/processes.ts';
import type { Blow, Victims } from './blow.ts';

const REPLACED_MS = [3_000, 9_000] as const;

export function blowsToAccounts({ place }: Victims): readonly Blow[] {
  return [{ kind: 'the rail account is replaced', isSlow: true, strike: (random) => replace(place, random) }];
}

/** May be repeated as a whole after a failure: setting the account in use again has no effect. */
async function replace(place: Place, random: Random): Promise<string> {
  const { railAccountId: id, railSecret: secret, otherAccount } = place.merchant;
  const replacedMs = random.between(...REPLACED_MS);
  await use(place, otherAccount);
  await pause(replacedMs);
  await use(place, { id, secret, webhookSecret: place.railWebhookSecret });
  return `for ${replacedMs} ms`;
}

async function use(place: Place, { id, secret, webhookSecret }: AccountAtRail): Promise<void> {
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
  if (!JSON.parse(told).usable) throw new Error(`${id} cannot take money: ${told}`);
}
