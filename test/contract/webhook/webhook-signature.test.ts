/** Our signatures against independent verifiers. */
import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import {
  createWebhookSecret,
  signWebhook,
  standardWebhookHeaders,
} from '../../../contract/webhook/webhook-signature.ts';

const rawBody = JSON.stringify({ id: 'evt_1', name: 'Müller & Søn – 10 €' });
const secret = createWebhookSecret();
const other = createWebhookSecret();
const now = () => Math.floor(Date.now() / 1_000);

describe('Service-Signature', () => {
  const verify = (header: string, body = rawBody, key = secret) =>
    Stripe.webhooks.constructEvent(body, header, key, 300);

  test("is accepted by Stripe's verifier", () => {
    const header = signWebhook({ rawBody, timestamp: now(), secrets: [secret] });
    expect(header).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
    expect(verify(header)).toEqual(JSON.parse(rawBody));
  });

  test('with two secrets is accepted with either', () => {
    const header = signWebhook({ rawBody, timestamp: now(), secrets: [secret, other] });
    expect(header).toMatch(/^t=\d{10},v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    expect(verify(header)).toBeTruthy();
    expect(verify(header, rawBody, other)).toBeTruthy();
  });

  test('is rejected with another secret, another body, or a timestamp more than five minutes old', () => {
    const timestamp = now();
    const header = signWebhook({ rawBody, timestamp, secrets: [secret] });
    expect(() => verify(header, rawBody, other)).toThrow();
    expect(() => verify(header, `${rawBody} `)).toThrow();
    expect(() => verify(signWebhook({ rawBody, timestamp: timestamp - 301, secrets: [secret] }))).toThrow();
  });
});

describe('the headers of Standard Webhooks', () => {
  const headersWith = (secrets: string[]) =>
    standardWebhookHeaders('evt_1', { rawBody, timestamp: now(), secrets });

  test('are accepted by the standardwebhooks package', () => {
    expect(new Webhook(secret).verify(rawBody, headersWith([secret]))).toEqual(JSON.parse(rawBody));
  });

  test('with two secrets are accepted with either', () => {
    const headers = headersWith([secret, other]);
    expect(new Webhook(secret).verify(rawBody, headers)).toBeTruthy();
    expect(new Webhook(other).verify(rawBody, headers)).toBeTruthy();
  });

  test('are rejected if the secret, body or event id differs', () => {
    const headers = headersWith([secret]);
    expect(() => new Webhook(other).verify(rawBody, headers)).toThrow();
    expect(() => new Webhook(secret).verify(`${rawBody} `, headers)).toThrow();
    expect(() => new Webhook(secret).verify(rawBody, { ...headers, 'webhook-id': 'evt_2' })).toThrow();
  });
});
