/** Requests to subscriptions that a restore of PostgreSQL loses, and whose record Temporal keeps. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../core/random.ts';
import { now } from '../core/record.ts';
import type { Merchant } from './merchant.ts';

const AROUND_CUT_MS = 200;
const CHARGED_WITHIN_MS = 15_000;
const POLL_MS = 250;

export interface LostRequests {
  /** After the purchases, before the requests. */
  readonly cut: string;
  readonly ids: readonly string[];
}

/**
 * Sells three subscriptions, then cancels one and pauses the other two, one of them after the charge that ended its
 * trial. In the copy this one is still in its trial, in which it cannot pause, so it is held.
 *
 * @returns null if nothing was sold
 */
export async function requestAfterCut(merchant: Merchant, random: Random): Promise<LostRequests | null> {
  const products = ['recurring', 'recurring', 'trial'] as const;
  const sold = await Promise.all(products.map((product) => merchant.sellAtOnce(product)));
  const [ending, pausing, held] = sold.map((session) => session?.subscription_id);
  const ids = [ending, pausing, held].flatMap((id) => id ?? []);
  if (ids.length === 0) return null;
  await pause(AROUND_CUT_MS);
  const cut = now();
  await pause(AROUND_CUT_MS);
  await Promise.all([
    ending && merchant.cancel(ending, random.chance(0.5)),
    pausing && merchant.pause(pausing),
    held && pauseAfterTrial(merchant, held),
  ]);
  return { cut, ids };
}

async function pauseAfterTrial(merchant: Merchant, id: string): Promise<void> {
  await merchant.renew(id, () => 1);
  const isCharged = async () =>
    (await merchant.get('/v1/subscriptions'))?.data.some(
      (each: { readonly id: string; readonly status: string }) => each.id === id && each.status === 'active',
    );
  for (const end = performance.now() + CHARGED_WITHIN_MS; performance.now() < end; await pause(POLL_MS))
    if (await isCharged()) break;
  await merchant.pause(id);
}
