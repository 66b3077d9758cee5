/** POST /webhooks, the list of events, and the injected behaviour. */
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { event, type OpenShop, openShop } from './open-shop.ts';

let shop: OpenShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.close());

test('a delivery with a valid signature gets 200 and is listed in full', async () => {
  const sent = event('payment.succeeded', {
    payment: { id: 'ap_pay_1', rail: 'sandbox', status: 'succeeded' },
  });
  expect((await shop.deliver(sent)).status).toBe(200);
  const listed = (await shop.events()).at(-1);
  expect(listed).toEqual({
    receivedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    deliveryAttempt: 1,
    verified: true,
    event: sent,
  });
});

test.each<[string, Parameters<OpenShop['deliver']>[1]]>([
  ['with another secret', { secret: 'whsec_other' }],
  ['with a malformed signature', { signature: 'nothing' }],
])('a delivery %s gets 400 and is not listed', async (_name, options) => {
  const before = await shop.events();
  const answer = await shop.deliver(event('payment.succeeded'), options);
  expect([answer.status, await answer.json()]).toEqual([400, { error: 'invalid_signature' }]);
  expect(await shop.events()).toEqual(before);
});

test('every delivery is listed in order of arrival, including repeated deliveries', async () => {
  const before = (await shop.events()).length;
  const [first, second] = [event('payment.failed'), event('invoice.created')];
  await shop.deliver(first);
  await shop.deliver(second);
  await shop.deliver(first, { attempt: 2 });
  const listed = (await shop.events()).slice(before);
  expect(listed.map(({ event: { id }, deliveryAttempt }) => [id, deliveryAttempt])).toEqual([
    [first.id, 1],
    [second.id, 1],
    [first.id, 2],
  ]);
});

test('unknown event fields are kept', async () => {
  const sent = event('something.new', { anything: { nested: [1] } });
  await shop.deliver(sent);
  expect((await shop.events()).at(-1)?.event).toEqual(sent);
});

test('the receiver can be set to fail a number of deliveries, which it still lists', async () => {
  await shop.behave({ status: 503, retryAfterSeconds: 7, count: 2 });
  const answers = [];
  for (let sent = 0; sent < 3; sent++) answers.push(await shop.deliver(event('payment.succeeded')));
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 200]);
  expect(answers[0]?.headers.get('retry-after')).toBe('7');
  expect((await shop.events()).slice(-3).map(({ event: { type } }) => type)).toEqual(
    Array(3).fill('payment.succeeded'),
  );
});

test('the receiver can be made slow, until its behaviour is reset', async () => {
  await shop.behave({ delayMs: 300 });
  const began = performance.now();
  await shop.deliver(event('payment.succeeded'));
  expect(performance.now() - began).toBeGreaterThanOrEqual(290);
  await shop.behave({});
  expect((await shop.deliver(event('payment.succeeded'))).status).toBe(200);
});

test('an invalid behaviour is rejected', async () => {
  expect((await shop.behave({ status: 42 })).status).toBe(400);
});

test('the list survives a restart and a last line truncated by a crash', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'shop-'));
  const before = await openShop({ dataDir });
  await before.deliver(event('payment.succeeded'));
  const listed = await before.events();
  await before.close();
  await appendFile(join(dataDir, 'shop-events.jsonl'), '{"receivedAt": "2026-');
  const after = await openShop({ dataDir });
  expect(await after.events()).toEqual(listed);
  await after.deliver(event('invoice.created'));
  await after.close();
  const again = await openShop({ dataDir });
  expect(await again.events()).toHaveLength(2);
  await again.close();
  await rm(dataDir, { recursive: true });
});

test('the stream replays earlier deliveries and continues with new deliveries', async () => {
  const [earlier, later] = [event('payment.failed'), event('payment.succeeded')];
  await shop.deliver(earlier);
  const aborting = new AbortController();
  const stream = await fetch(`${shop.url}/events/stream`, { signal: aborting.signal });
  expect(stream.headers.get('content-type')).toMatch('text/event-stream');
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream.body ?? []) {
    text += decoder.decode(chunk as Uint8Array);
    if (text.includes('event: caught-up') && !text.includes(later.id)) await shop.deliver(later);
    if (text.includes(later.id)) break;
  }
  aborting.abort();
  expect(text.indexOf(earlier.id)).toBeLessThan(text.indexOf('caught-up'));
  expect(text.indexOf(later.id)).toBeGreaterThan(text.indexOf('caught-up'));
});
