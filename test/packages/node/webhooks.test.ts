/** Verification with Web Crypto: with signatures of the service, and the error when one does not match. */
import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import type * as contract from '../../../contract/webhook/events.ts';
import { createWebhookSecret, signWebhook } from '../../../contract/webhook/webhook-signature.ts';
import {
  type VerifyOptions,
  verifyWebhook,
  verifyWebhookRequest,
  type WebhookEvent,
  WebhookVerificationError,
} from '../../../packages/node/src/index.ts';

const event = { id: 'evt_1', type: 'payment.succeeded', note: 'Grüße' };
const rawBody = JSON.stringify(event);
const secret = createWebhookSecret();
const other = createWebhookSecret();
const nowSeconds = 1_790_000_000;
const signature = signWebhook({ rawBody, timestamp: nowSeconds, secrets: [secret] });

const verify = (options: Partial<VerifyOptions> = {}) =>
  verifyWebhook({ rawBody, signature, secret, nowSeconds, ...options });
const refusalOf = async (options: Partial<VerifyOptions>) => {
  const error = await verify(options).then(
    () => new Error('accepted'),
    (cause: unknown) => cause as Error,
  );
  return `${error instanceof WebhookVerificationError ? error.reason : error.name}: ${error.message}`;
};

describe('verifyWebhook', () => {
  test('returns the event of a genuine webhook, from text and from bytes', async () => {
    const bytes = new TextEncoder().encode(rawBody);
    expect(await verify()).toEqual(event);
    expect(await verify({ rawBody: Buffer.from(rawBody) })).toEqual(event);
    expect(await verify({ rawBody: bytes.buffer })).toEqual(event);
    const headers = {
      'service-signature': signWebhook({
        rawBody,
        timestamp: Math.floor(Date.now() / 1_000),
        secrets: [secret],
      }),
    };
    const request = new Request('https://shop.example/', { method: 'POST', headers, body: rawBody });
    expect(await verifyWebhookRequest(request, { secret })).toEqual(event);
  });

  test('accepts any of several secrets and any of several signatures', async () => {
    const both = signWebhook({ rawBody, timestamp: nowSeconds, secrets: [other, secret] });
    expect(await verify({ signature: both })).toEqual(event);
    expect(await verify({ secret: [other, secret] })).toEqual(event);
  });

  test.each<[string, Partial<VerifyOptions>, RegExp]>([
    ['no header', { signature: undefined }, /^missing_header: .* a proxy removed the header \(let it pass\)/],
    ['a malformed header', { signature: 't=1,v1=00' }, /^malformed_header: /],
    ['a fast clock', { nowSeconds: nowSeconds + 301 }, /^timestamp_outside_tolerance: .* 301 s ago .* fast/],
    [
      'a slow clock',
      { nowSeconds: nowSeconds - 301 },
      /^timestamp_outside_tolerance: .* 301 s in the future .* slow/,
    ],
    [
      'another secret',
      { secret: other },
      /^no_matching_signature: .* another endpoint .* after it was sent\. Use this endpoint/,
    ],
    [
      'a rewritten body',
      { rawBody: JSON.stringify(event, null, 2) },
      /^no_matching_signature: .* re-serialized/,
    ],
    [
      'a parsed body',
      { rawBody: event as never },
      /^TypeError: .* parsed before the verification.*express\.raw/,
    ],
    ['an API key as secret', { secret: 'ap_test_1' }, /^TypeError: secret is an API key/],
    ['a secret without its prefix', { secret: secret.slice(6) }, /^TypeError: .* whole secret/],
    [
      'a secret that is not set',
      { secret: undefined as never },
      /^TypeError: secret is missing: .* \(whsec_…\)\. .* environment variable/,
    ],
    [
      'a list with a secret that is not set',
      { secret: [secret, undefined as never] },
      /^TypeError: secret must not/,
    ],
    [
      'bytes as secret',
      { secret: Buffer.from(secret) as never },
      /^TypeError: secret must be the whole secret/,
    ],
    ['no secret', { secret: [] }, /^TypeError: secret must not be empty/],
  ])('rejects %s, with the reason', async (_name, options, sentence) => {
    expect(await refusalOf(options)).toMatch(sentence);
  });
});

test('the types of events have the fields that the service sends', () => {
  type Sent = z.infer<typeof contract.webhookEvent>;
  const types: Record<WebhookEvent['type'], true> & Record<Sent['type'], true> = {
    'payment.succeeded': true,
    'payment.failed': true,
    'subscription.created': true,
    'subscription.updated': true,
    'subscription.trial_ending': true,
    'subscription.renewal_upcoming': true,
    'subscription.paused': true,
    'subscription.resumed': true,
    'subscription.cancelled': true,
    'invoice.created': true,
    'invoice.payment_failed': true,
    'refund.created': true,
    'credit_note.created': true,
    'payment_method.updated': true,
    'payment_method.updated_required': true,
    'payment_method.update_failed': true,
    'billing.operational_alert': true,
    'webhook.test': true,
  };
  const payment = (given: Extract<WebhookEvent, { type: 'payment.succeeded' }>) => given.payment.id;
  expect(Object.keys(types)).toHaveLength(18);
  expect(payment.length).toBe(1);
});
