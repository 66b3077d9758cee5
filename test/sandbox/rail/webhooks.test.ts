import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startSandboxRail } from '../../../sandbox/rail/server.ts';
import { eventually } from '../../support/core/eventually.ts';
import { ok, type Receiver, startReceiver, status } from '../../support/server/receiver.ts';
import { ACCOUNT, callsTo, newReference, type RunningRail, startRail } from './running-rail.ts';

const WEBHOOK_SECRET = 'webhook secret of the demo shop';

let receiver: Receiver;
let rail: RunningRail;
beforeEach(async () => {
  receiver = await startReceiver();
  rail = await startRail({
    accounts: [{ ...ACCOUNT, webhookUrl: receiver.url, webhookSecret: WEBHOOK_SECRET }],
    webhookRetrySeconds: [0.05, 0.05, 0.05],
  });
});
afterEach(async () => {
  await rail.close();
  await receiver.stop();
});

const types = () => receiver.received.map(({ event }) => event.type);

test('every change is reported, signed over timestamp and raw body', async () => {
  const reference = newReference();
  const charge = await rail.authorize('approved', { reference });
  await receiver.untilReceived(1);
  const { body, headers, event } = receiver.nth(0);
  expect(event).toEqual({
    id: expect.stringMatching(/^evt_/),
    type: 'charge.approved',
    account: ACCOUNT.id,
    createdAt: expect.any(String),
    data: { reference, charge: charge.body.id, status: 'approved', amount: 1_900, currency: 'EUR' },
  });
  const [, time, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['rail-signature'])) ?? [];
  expect(digest).toBe(createHmac('sha256', WEBHOOK_SECRET).update(`${time}.${body}`).digest('hex'));
  expect(Math.abs(Number(time) - Date.now() / 1_000)).toBeLessThan(5);
});

test('a challenge and its outcome are reported once each', async () => {
  const { body } = await rail.authorize('challenge_always');
  await receiver.untilReceived(1);
  await rail.post(new URL(body.challengeUrl).pathname, { result: 'approve' });
  await rail.post(new URL(body.challengeUrl).pathname, { result: 'fail' });
  await receiver.untilReceived(2);
  expect(types()).toEqual(['charge.requires_action', 'charge.approved']);
});

test('a settled pending charge is reported', async () => {
  await rail.authorize('pending_then_declined');
  await receiver.untilReceived(2);
  expect(types()).toEqual(['charge.pending', 'charge.declined']);
});

test('an approval after a cancel is reported', async () => {
  const reference = newReference();
  await rail.authorize('approved_after_cancel', { reference });
  await rail.cancel(reference);
  await receiver.untilReceived(3);
  expect(types()).toEqual(['charge.pending', 'charge.cancelled', 'charge.approved']);
});

test('unruly_webhooks repeats its approval and sends the older event last', async () => {
  await rail.authorize('unruly_webhooks');
  await receiver.untilReceived(4);
  expect(types()).toEqual(['charge.approved', 'charge.approved', 'charge.approved', 'charge.pending']);
  const [first, second, third] = receiver.received.map(({ event }) => event.id);
  expect([second, third]).toEqual([first, first]);
});

test('a failed delivery is retried with a fresh signature', async () => {
  receiver.answer = status(500);
  await rail.authorize('approved');
  await receiver.untilReceived(2);
  receiver.answer = ok;
  await receiver.untilReceived(3);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
});

test('a delivery is abandoned after its last attempt', async () => {
  receiver.answer = status(500);
  await rail.authorize('approved');
  await receiver.untilReceived(4);
  receiver.answer = ok;
  await rail.authorize('declined');
  await receiver.untilReceived(5);
  expect(types()).toEqual([...Array(4).fill('charge.approved'), 'charge.declined']);
});

test('a redirect is a failure and is not followed', async () => {
  receiver.answer = status(302, { Location: `${receiver.url}/elsewhere` });
  await rail.authorize('approved');
  await receiver.untilReceived(2);
  expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/hooks']));
});

test('a pending delivery survives a restart', async () => {
  receiver.answer = status(500);
  await rail.authorize('approved');
  await receiver.untilReceived(1);
  await rail.rail.close();
  receiver.answer = ok;
  const delivered = receiver.received.length;
  const again = await startSandboxRail({ databaseUrl: rail.databaseUrl, accounts: [] });
  try {
    await receiver.untilReceived(delivered + 1, 20_000);
    expect(receiver.nth(delivered).body).toBe(receiver.nth(0).body);
  } finally {
    await again.close();
  }
});

test('a pending charge survives a restart and settles', async () => {
  const reference = newReference();
  await rail.authorize('pending_then_approved', { reference });
  await rail.rail.close();
  const again = await startSandboxRail({ databaseUrl: rail.databaseUrl, accounts: [] });
  try {
    const { lookup } = callsTo(again.url);
    await eventually(async () => expect((await lookup(reference)).body.status).toBe('approved'));
  } finally {
    await again.close();
  }
});

test('events of an account without a webhook URL wait until it has one', async () => {
  await rail.rail.putAccount(ACCOUNT);
  await rail.authorize('approved');
  await rail.rail.putAccount({ ...ACCOUNT, webhookUrl: receiver.url, webhookSecret: WEBHOOK_SECRET });
  await receiver.untilReceived(1);
  expect(types()).toEqual(['charge.approved']);
});
