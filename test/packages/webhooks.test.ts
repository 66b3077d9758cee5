/** The synchronous library: with our signatures, and a signature of Stripe's package. */
import { describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { createWebhookSecret, signWebhook } from '../../contract/webhook/webhook-signature.ts';
import type {
  CreditNoteEvent,
  Envelope,
  InvoiceEvent,
  OperationalAlertEvent,
  PaymentEvent,
  PaymentMethodEvent,
  RefundEvent,
  SubscriptionEvent,
  TestEvent,
  WebhookEvent,
} from '../../packages/webhooks/src/index.ts';
import {
  type VerifyOptions,
  verifyWebhook,
  WebhookVerificationError,
} from '../../packages/webhooks/src/index.ts';

const event = { id: 'evt_1', type: 'payment.succeeded', note: 'Grüße' };
const rawBody = JSON.stringify(event);
const secret = createWebhookSecret();
const other = createWebhookSecret();
const nowSeconds = 1_790_000_000;
const signature = signWebhook({ rawBody, timestamp: nowSeconds, secrets: [secret] });

const given = { rawBody, signature, secret, nowSeconds };

function reasonOf(options: Partial<VerifyOptions>): string {
  try {
    verifyWebhook({ ...given, ...options });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return `${error.code}: ${error.reason}`;
    throw error;
  }
  return 'accepted';
}

describe('verifyWebhook', () => {
  test('returns the event of a genuine webhook, from text and from bytes', () => {
    expect(verifyWebhook(given)).toEqual(event);
    expect(verifyWebhook({ ...given, rawBody: Buffer.from(rawBody) })).toEqual(event);
    expect(verifyWebhook({ ...given, rawBody: new TextEncoder().encode(rawBody) })).toEqual(event);
  });

  test("accepts a signature of Stripe's package", () => {
    const made = Stripe.webhooks.generateTestHeaderString({
      payload: rawBody,
      secret,
      timestamp: nowSeconds,
    });
    expect(verifyWebhook({ ...given, signature: made })).toEqual(event);
  });

  test('accepts any of several secrets and any of several signatures', () => {
    const both = signWebhook({ rawBody, timestamp: nowSeconds, secrets: [other, secret] });
    expect(verifyWebhook({ ...given, signature: both })).toEqual(event);
    expect(verifyWebhook({ ...given, secret: [other, secret] })).toEqual(event);
  });

  test('accepts a timestamp within the tolerance in both directions', () => {
    expect(reasonOf({ nowSeconds: nowSeconds + 300 })).toBe('accepted');
    expect(reasonOf({ nowSeconds: nowSeconds - 300 })).toBe('accepted');
    expect(reasonOf({ nowSeconds: nowSeconds + 301 })).toBe('invalid_signature: timestamp_outside_tolerance');
    expect(reasonOf({ nowSeconds: nowSeconds - 301 })).toBe('invalid_signature: timestamp_outside_tolerance');
    expect(reasonOf({ nowSeconds: nowSeconds + 301, toleranceSeconds: 600 })).toBe('accepted');
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])(
    'throws a TypeError for a tolerance or clock of %p',
    (value) => {
      const old = { nowSeconds: nowSeconds + 315_360_000 };
      expect(() => verifyWebhook({ ...given, ...old, toleranceSeconds: value })).toThrow(TypeError);
      expect(() => verifyWebhook({ ...given, nowSeconds: value })).toThrow(TypeError);
    },
  );

  test.each([undefined, null, ''])('rejects a request without the header (%p)', (header) => {
    expect(reasonOf({ signature: header })).toBe('invalid_signature: missing_header');
  });

  const hex = signature.split('v1=')[1] ?? '';
  test.each([
    'v1=',
    'nonsense',
    `t=${nowSeconds}`,
    `v1=${hex}`,
    `t=${nowSeconds},v0=${hex}`,
    `t=${nowSeconds},v1=${hex.slice(1)}`,
    `t=${nowSeconds},v1=${hex}0`,
    `t=${nowSeconds},v1=${'g'.repeat(64)}`,
    `t=now,v1=${hex}`,
    `t=-${nowSeconds},v1=${hex}`,
    `t=1e9,v1=${hex}`,
    `t=${nowSeconds},t=${nowSeconds + 1},v1=${hex}`,
  ])('rejects a malformed header: %s', (header) => {
    expect(reasonOf({ signature: header })).toBe('invalid_signature: malformed_header');
  });

  test('rejects another secret, body or timestamp', () => {
    const refused = 'invalid_signature: no_matching_signature';
    expect(reasonOf({ secret: other })).toBe(refused);
    expect(reasonOf({ rawBody: `${rawBody} ` })).toBe(refused);
    expect(reasonOf({ signature: `t=${nowSeconds + 1},v1=${hex}` })).toBe(refused);
    expect(reasonOf({ signature: `t=${nowSeconds},v1=${'0'.repeat(64)}` })).toBe(refused);
  });

  test.each<[string, Partial<VerifyOptions>, RegExp]>([
    [
      "the other environment's secret",
      { secret: other },
      /another endpoint \(the sandbox .*Use this endpoint's/,
    ],
    ['an API key as secret', { secret: 'ap_test_1' }, /is an API key: .* begins with whsec_/],
    ['a fast clock', { nowSeconds: nowSeconds + 400 }, /400 s ago .* clock is fast \(check its time/],
    [
      'a slow clock',
      { nowSeconds: nowSeconds - 400 },
      /400 s in the future .* clock is slow \(check its time/,
    ],
    [
      'a parsed body',
      { rawBody: event as never },
      /parsed before the verification\. Pass it as it was received/,
    ],
    [
      'a body that a proxy rewrote',
      { rawBody: JSON.stringify(event, null, 1) },
      /re-serialized, by a JSON parser or a proxy\. .*verify the bytes as received/,
    ],
    ['a header that a proxy removed', { signature: undefined }, /a proxy removed the header \(let it pass\)/],
  ])('names cause and remedy of %s', (_name, options, sentence) => {
    expect(() => verifyWebhook({ ...given, ...options })).toThrow(sentence);
  });

  test('throws a TypeError for a parsed body or an empty secret, which are bugs of the caller', () => {
    expect(() => verifyWebhook({ ...given, rawBody: event as unknown as string })).toThrow(TypeError);
    expect(() => verifyWebhook({ ...given, secret: '' })).toThrow(TypeError);
    expect(() => verifyWebhook({ ...given, secret: [] })).toThrow(TypeError);
  });
});

/** Uses the names that receivers import; the compiler checks that no event is missing. */
function subjectOf(event: WebhookEvent): string {
  const kinds: readonly (
    | PaymentEvent
    | SubscriptionEvent
    | InvoiceEvent
    | RefundEvent
    | CreditNoteEvent
    | PaymentMethodEvent
    | OperationalAlertEvent
    | TestEvent
  )[] = [event];
  const [kind] = kinds;
  const { id }: Envelope = event;
  switch (kind?.type) {
    case 'payment.succeeded':
    case 'payment.failed':
      return kind.payment?.id ?? id;
    case 'invoice.created':
    case 'invoice.payment_failed':
      return kind.invoice?.id ?? id;
    case 'refund.created':
      return kind.refund.id;
    default:
      return id;
  }
}

test('the event types keep the names of the first release, and narrow by `type`', () => {
  const paid = { ...event, payment: { id: 'ap_pay_1' } };
  const signed = signWebhook({ rawBody: JSON.stringify(paid), timestamp: nowSeconds, secrets: [secret] });
  expect(subjectOf(verifyWebhook({ ...given, rawBody: JSON.stringify(paid), signature: signed }))).toBe(
    'ap_pay_1',
  );
});
