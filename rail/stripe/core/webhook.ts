/** Parses Stripe's webhooks, which Stripe's package verifies. */
import Stripe from 'stripe';
import { z } from 'zod';
import type { RailAccount } from '../../rail-account.ts';
import { type RailWebhook, RailWebhookInvalid } from '../../webhook.ts';
import { credentialOf } from './credential.ts';

const TOLERANCE_SECONDS = 300;

const HINTS: Readonly<Record<string, RailWebhook['hint']>> = {
  'payment_intent.succeeded': 'approved',
  'payment_intent.payment_failed': 'declined',
  'payment_intent.canceled': 'cancelled',
  'payment_intent.requires_action': 'challenge',
  'payment_intent.processing': 'pending',
  'setup_intent.succeeded': 'approved',
  'setup_intent.setup_failed': 'declined',
  'setup_intent.canceled': 'cancelled',
  'setup_intent.requires_action': 'challenge',
  'refund.created': 'refunded',
  'refund.updated': 'refunded',
  'refund.failed': 'refund_failed',
  'charge.dispute.created': 'dispute',
  'charge.dispute.updated': 'dispute',
  'charge.dispute.closed': 'dispute',
};

/** Events that the webhook endpoint at Stripe must subscribe to. */
export const NEEDED_EVENTS = Object.keys(HINTS);

const eventSchema = z.object({
  id: z.string().min(1),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({
    object: z.object({
      metadata: z.record(z.string(), z.string()).nullish(),
      payment_intent: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
    }),
  }),
});

/**
 * @returns null if the webhook concerns another account
 * @throws RailWebhookInvalid
 */
export function parseWebhook(
  account: RailAccount,
  rawBody: Buffer,
  headers: Readonly<Record<string, string | undefined>>,
): RailWebhook | null {
  const secret = credentialOf(account)?.webhookSecret;
  if (!secret) throw new RailWebhookInvalid(`rail account ${account.id} has no webhook secret`);
  const signature = headers['stripe-signature'];
  const event = eventSchema.safeParse(verified(rawBody, signature, secret)).data;
  // The package rejects old timestamps but accepts future ones.
  if (isInTheFuture(signature)) throw new RailWebhookInvalid('signature timestamp outside tolerance');
  if (!event) throw new RailWebhookInvalid('valid signature, unknown event shape');
  if (event.livemode !== (account.environment === 'production')) return null;
  const { metadata, payment_intent: intent } = event.data.object;
  const hint = HINTS[event.type] ?? 'other';
  // A dispute has none of the service's metadata, but names the intent.
  const intentId = typeof intent === 'string' ? intent : intent?.id;
  if (hint === 'dispute' && intentId) {
    return { railEventId: event.id, reference: null, railReference: intentId, hint };
  }
  const { reference = null, rail_account: madeBy = null } = metadata ?? {};
  if (madeBy !== null && madeBy !== account.id) return null;
  return { railEventId: event.id, reference, hint: reference ? hint : 'other' };
}

function verified(rawBody: Buffer, signature: string | undefined, secret: string): unknown {
  try {
    return Stripe.webhooks.constructEvent(rawBody, signature ?? '', secret, TOLERANCE_SECONDS);
  } catch (error) {
    // Do not pass the package's error on: it contains the body and the header.
    const known = error instanceof Stripe.errors.StripeSignatureVerificationError;
    throw new RailWebhookInvalid(
      known ? 'wrong, old or malformed signature' : 'valid signature, unparseable payload',
    );
  }
}

function isInTheFuture(signature: string | undefined): boolean {
  const [, seconds] = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature ?? '') ?? [];
  return Number(seconds) - Date.now() / 1_000 > TOLERANCE_SECONDS;
}
