/** Every intent that this rail account created since an instant, whatever its outcome. */
import type { RailAccount, RailCharge } from '../rail.ts';
import type { StripeApi } from './client.ts';
import { KINDS, listIntents } from './intents.ts';
import { outcomeOf } from './outcome.ts';
import { unknownOf } from './refused.ts';

/** `listSince` has no "unknown" outcome: it throws, and the caller retries later. */
export class StripeListFailed extends Error {
  override readonly name = 'StripeListFailed';

  constructor(reason: string) {
    super(`listing charges at Stripe failed: ${reason}`);
  }
}

/** @throws StripeListFailed */
export async function listSince(
  api: StripeApi,
  account: RailAccount,
  sinceInstant: string,
): Promise<readonly RailCharge[]> {
  const charges: RailCharge[] = [];
  for (const kind of KINDS) {
    const listed = await listIntents(api, kind, { from: Math.floor(Date.parse(sinceInstant) / 1_000) });
    if (listed.kind !== 'answer') throw new StripeListFailed(unknownOf(listed).reason);
    for (const intent of listed.value) {
      const { reference, railAccountId, amountCents, currency, at } = intent;
      if (!reference || railAccountId !== account.id) continue;
      charges.push({ reference, outcome: outcomeOf(intent).kind, amountCents, currency, at });
    }
  }
  return charges;
}
