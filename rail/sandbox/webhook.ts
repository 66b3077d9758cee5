/**
 * Verifies and parses the sandbox rail's webhooks. `Rail-Signature: t=<unix seconds>,v1=<hex>`, where v1 is
 * HMAC-SHA256 of `<t>.<raw body>` under the account's webhook secret.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { RailAccount } from '../rail-account.ts';
import { type RailWebhook, RailWebhookInvalid } from '../webhook.ts';
import { credentialOf } from './credential.ts';

const TOLERANCE_SECONDS = 300;

const webhookSchema = z.object({
  id: z.string().min(1),
  type: z.string(),
  account: z.string(),
  data: z.object({ reference: z.string().nullable() }),
});

const HINTS = new Map<string, RailWebhook['hint']>(
  Object.entries({
    'charge.approved': 'approved',
    'charge.declined': 'declined',
    'charge.requires_action': 'challenge',
    'charge.pending': 'pending',
    'charge.cancelled': 'cancelled',
    'refund.succeeded': 'refunded',
    'refund.failed': 'refund_failed',
    'dispute.open': 'dispute',
    'dispute.won': 'dispute',
    'dispute.lost': 'dispute',
  } as const),
);

/**
 * @returns null if the webhook concerns another account
 * @throws RailWebhookInvalid
 */
export function parseWebhook(
  account: RailAccount,
  rawBody: Buffer,
  headers: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): RailWebhook | null {
  const credential = credentialOf(account);
  if (!credential) throw new RailWebhookInvalid(`rail account ${account.id} has no usable credential`);
  const signature = readSignature(headers['rail-signature']);
  if (!matches(signature, rawBody, credential.webhookSecret)) throw new RailWebhookInvalid('wrong signature');
  if (Math.abs(nowMs / 1_000 - signature.unixSeconds) > TOLERANCE_SECONDS) {
    throw new RailWebhookInvalid('signature timestamp outside tolerance');
  }
  const webhook = readWebhook(rawBody);
  if (webhook.account !== credential.account) return null;
  return {
    railEventId: webhook.id,
    reference: webhook.data.reference,
    hint: HINTS.get(webhook.type) ?? 'other',
  };
}

interface Signature {
  /** As received, because it is part of the signed text. */
  readonly timestamp: string;
  readonly unixSeconds: number;
  readonly digest: Buffer;
}

function readSignature(header: string | undefined): Signature {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '');
  const [, timestamp, hex] = match ?? [];
  if (!timestamp || !hex) throw new RailWebhookInvalid('missing or malformed signature');
  return { timestamp, unixSeconds: Number(timestamp), digest: Buffer.from(hex, 'hex') };
}

function matches({ timestamp, digest }: Signature, rawBody: Buffer, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
  return timingSafeEqual(digest, expected);
}

function readWebhook(rawBody: Buffer): z.infer<typeof webhookSchema> {
  try {
    return webhookSchema.parse(JSON.parse(rawBody.toString('utf8')));
  } catch {
    throw new RailWebhookInvalid('valid signature, unparseable payload');
  }
}
