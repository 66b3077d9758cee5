/** Lists objects that this rail account has created since an instant, whatever their outcome. */
import { z } from 'zod';
import { type RailCharge, type RailDispute, RailListFailed, type RailRefund } from '../lists.ts';
import type { RailAccount } from '../rail-account.ts';
import { call, type Refused } from './core/call.ts';
import type { StripeApi } from './core/client.ts';
import { listOurs, pageOf } from './core/listed.ts';
import { unknownOf } from './core/refused.ts';
import { KINDS, listIntents } from './payment/intent-calls.ts';
import { outcomeOf } from './payment/outcome.ts';
import { outcomeOfRefund, refundSchema } from './refund.ts';

/** @throws RailListFailed */
export async function listSince(
  api: StripeApi,
  account: RailAccount,
  sinceInstant: string,
): Promise<readonly RailCharge[]> {
  const charges: RailCharge[] = [];
  for (const kind of KINDS) {
    const listed = await listIntents(api, kind, { from: secondsOf(sinceInstant), isOurs: isOursAt(account) });
    if (listed.kind !== 'answer') throw failed(listed);
    for (const intent of listed.value) {
      const { reference, railAccountId, amountCents, currency, quantity, at } = intent;
      if (!reference || railAccountId !== account.id) continue;
      charges.push({ reference, outcome: outcomeOf(intent).kind, amountCents, currency, quantity, at });
    }
  }
  return charges;
}

const listedRefund = refundSchema.extend({
  created: z.number().int(),
  payment_intent: z.string().nullish(),
});
const refundPage = pageOf(listedRefund);

/** @throws RailListFailed */
export async function listRefundsSince(
  api: StripeApi,
  account: RailAccount,
  sinceInstant: string,
): Promise<readonly RailRefund[]> {
  const created = { gte: secondsOf(sinceInstant) };
  const listed = await listOurs(
    api,
    (page) => call(api, refundPage, (stripe) => stripe.refunds.list({ created, ...page })),
    isOursAt(account),
  );
  if (listed.kind !== 'answer') throw failed(listed);
  const refunds: RailRefund[] = [];
  for (const refund of listed.value) {
    const { reference, rail_account: owner } = refund.metadata ?? {};
    const { payment_intent: payment } = refund;
    if (!reference || owner !== account.id || !payment) continue;
    refunds.push({
      reference,
      payment,
      outcome: outcomeOfRefund(refund).kind,
      amountCents: refund.amount,
      currency: refund.currency.toUpperCase(),
      at: new Date(refund.created * 1_000).toISOString(),
    });
  }
  return refunds;
}

const disputePage = pageOf(z.object({ id: z.string(), payment_intent: z.string().nullish() }));

/**
 * Includes disputes about charges that other software made on the same account, because Stripe's disputes have no
 * metadata. A dispute whose payment cannot be read is reported and skipped: nothing shows that it is the service's.
 * @throws RailListFailed
 */
export async function listDisputesSince(
  api: StripeApi,
  sinceInstant: string,
): Promise<readonly RailDispute[]> {
  const created = { gte: secondsOf(sinceInstant) };
  const listed = await listOurs(
    api,
    (page) => call(api, disputePage, (stripe) => stripe.disputes.list({ created, ...page })),
    () => false,
  );
  if (listed.kind !== 'answer') throw failed(listed);
  return listed.value.map(({ id, payment_intent: railReference = null }) => ({
    railDisputeId: id,
    reference: null,
    railReference,
  }));
}

function isOursAt({ id }: RailAccount) {
  return (metadata: Readonly<Record<string, unknown>>) => metadata.rail_account === id;
}

function secondsOf(instant: string): number {
  return Math.floor(Date.parse(instant) / 1_000);
}

function failed(refused: Refused): RailListFailed {
  const { reason, detail } = unknownOf(refused);
  return new RailListFailed('stripe', reason, detail);
}
