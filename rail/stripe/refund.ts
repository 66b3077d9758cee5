/** Refunds. An accepted refund can still fail days later, as look-ups and webhooks then report. */
import { z } from 'zod';
import type { RefundedTotal, RefundOutcome } from '../outcomes.ts';
import type { Rail } from '../rail.ts';
import type { RefundRequest } from '../requests.ts';
import { type Answer, call, type Refused } from './core/call.ts';
import type { StripeApi } from './core/client.ts';
import { refundFailureOf } from './core/errors.ts';
import { listOurs, pageOf } from './core/listed.ts';
import { metadataOf } from './core/metadata.ts';
import { unknownOf } from './core/refused.ts';

export const refundSchema = z.object({
  id: z.string().min(1),
  amount: z.number().int(),
  currency: z.string(),
  status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']),
  failure_reason: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
});
type Refund = z.infer<typeof refundSchema>;
type Metadata = Readonly<Record<string, unknown>> | null | undefined;
const refundPage = pageOf(refundSchema);

export async function refund(api: StripeApi, request: RefundRequest): Promise<RefundOutcome> {
  const { railReference, amountCents: amount, idempotencyKey } = request;
  if (!isPaymentIntent(railReference)) return { kind: 'failed', code: 'nothing_charged' };
  const metadata = metadataOf(request);
  const send = (key: string) =>
    call(api, refundSchema, (stripe) =>
      stripe.refunds.create({ payment_intent: railReference, amount, metadata }, { idempotencyKey: key }),
    );
  let answer = await send(idempotencyKey);
  // Stripe repeats a stored failure for a day. The failed call is over, so the list shows whether it had an effect.
  if (answer.kind === 'unknown' && answer.stored) {
    const found = await lookupRefund(api, request);
    // A failed refund under this reference may be an earlier one.
    if (found.kind !== 'notFound' && found.kind !== 'failed') return found;
    answer = await send(`${idempotencyKey}:again`);
  }
  return answer.kind === 'answer' ? outcomeOfRefund(answer.value) : outcomeOfRefusedRefund(answer);
}

export async function lookupRefund(
  api: StripeApi,
  { reference, railReference }: Parameters<Rail['lookupRefund']>[0],
): Promise<RefundOutcome> {
  if (!isPaymentIntent(railReference)) return { kind: 'notFound' };
  const isOurs = (metadata: Metadata) => metadata?.reference === reference;
  const ours = ({ metadata }: Refund) => isOurs(metadata);
  const listed = await listRefunds(api, railReference, isOurs, (found) => found.some(ours));
  if (listed.kind !== 'answer') return unknownOf(listed);
  const found = listed.value.find(ours);
  return found ? outcomeOfRefund(found) : { kind: 'notFound' };
}

export async function refundedTotal(
  api: StripeApi,
  { railReference }: Parameters<Rail['refundedTotal']>[0],
): Promise<RefundedTotal> {
  if (!isPaymentIntent(railReference)) return { kind: 'notFound' };
  // Count every refund, whoever made it.
  const listed = await listRefunds(api, railReference, () => true);
  if (listed.kind !== 'answer') return unknownOf(listed);
  const sumOf = (kind: RefundOutcome['kind']) =>
    listed.value
      .filter((one) => outcomeOfRefund(one).kind === kind)
      .reduce((sum, { amount }) => sum + amount, 0);
  return { kind: 'total', refundedCents: sumOf('succeeded'), pendingCents: sumOf('pending') };
}

function listRefunds(
  api: StripeApi,
  railReference: string,
  isOurs: (metadata: Metadata) => boolean,
  enough?: (found: readonly Refund[]) => boolean,
): Promise<Answer<readonly Refund[]>> {
  return listOurs(
    api,
    (page) =>
      call(api, refundPage, (stripe) => stripe.refunds.list({ payment_intent: railReference, ...page })),
    isOurs,
    enough,
  );
}

const REFUSED: RefundOutcome = { kind: 'failed', code: refundFailureOf(null) };

export function outcomeOfRefund({
  id: railReference,
  status,
  amount: amountCents,
  currency,
  failure_reason: reason,
}: Refund): Exclude<RefundOutcome, { kind: 'notFound' | 'unknown' }> {
  switch (status) {
    case 'succeeded':
      return { kind: 'succeeded', railReference, moved: { amountCents, currency: currency.toUpperCase() } };
    case 'failed':
      return { kind: 'failed', code: refundFailureOf(reason), railReference };
    case 'canceled':
      return { kind: 'failed', code: 'canceled', railReference };
    case 'pending':
    case 'requires_action':
      return { kind: 'pending', railReference };
  }
}

/**
 * Maps a rejected refund. Stripe rejects a refund immediately if it exceeds the remaining amount, or if the charge
 * is already refunded, is disputed or was never made.
 */
function outcomeOfRefusedRefund(refused: Refused): RefundOutcome {
  if (refused.kind === 'refused') return { kind: 'failed', code: refundFailureOf(refused.code) };
  return refused.kind === 'declined' || refused.kind === 'movedOn' ? REFUSED : unknownOf(refused);
}

function isPaymentIntent(railReference: string): boolean {
  return railReference.startsWith('pi_');
}
