/** Operators are notified when an incident begins and when it ends. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { operatorsTeller } from '../../../activities/operations/notify-operators.ts';
import type { IncidentNotice } from '../../../contract/operations/incident-notice.ts';
import { createWebhookSecret } from '../../../contract/webhook/webhook-signature.ts';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { claimNotice } from '../../../db/operations/incident-notices.ts';
import { verifyWebhook } from '../../../packages/webhooks/src/index.ts';
import { insertPurchase, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { ok, type Receiver, startReceiver, status } from '../../support/server/receiver.ts';

const secret = createWebhookSecret();
const goesOn = new AbortController().signal;

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
let receiver: Receiver;
let lines: string[] = [];
let checkoutId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool, { name: 'Hafen' });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver?.stop();
  await database?.close();
});
beforeEach(async () => {
  ({ checkoutId } = await insertPurchase(pool, shop, shop.products.oneTime));
  await state('reconciliation_required');
});
afterEach(async () => {
  await receiver.stop();
  await receiver.start();
  receiver.answer = ok;
  (receiver.received as unknown[]).length = 0;
  lines = [];
  await pool.query(sql.unsafe`update checkouts set state = 'created'`);
  await pool.query(sql.unsafe`delete from incident_notices`);
});

const state = (to: string) =>
  pool.query(sql.unsafe`update checkouts set state = ${to} where id = ${checkoutId}`);
const dueNow = () => pool.query(sql.unsafe`update incident_notices set next_attempt_at = service_clock()`);

function teller() {
  const round = operatorsTeller({
    pool,
    logger: pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
    operators: {
      links: {
        temporalUi: { url: 'https://temporal.example', namespace: 'default' },
        runbookUrl: 'https://wiki.example/operations',
      },
      webhook: { url: receiver.url, secret },
    },
  });
  return () => round(goesOn);
}

const notices = () => receiver.received.map(({ event }) => event as object as IncidentNotice);
/** Each received notice as `type kind`. */
const told = () => notices().map(({ type, incident }) => `${type} ${incident.kind}`);
const keys = () => notices().map(({ key }) => key);
const opened = 'incident.opened reconciliation_required';
const grown = 'incident.grown reconciliation_required';
const cleared = 'incident.cleared reconciliation_required';

test('an incident is sent once when it begins, with everything an operator needs, and once when it ends', async () => {
  const round = teller();
  await round();
  await round();
  expect(told()).toEqual([opened]);
  const { body, headers } = receiver.nth(0);
  const { event } = receiver.nth(0);
  expect(event).toMatchObject({
    id: headers['service-event-id'],
    count: 1,
    incident: {
      kind: 'reconciliation_required',
      id: checkoutId,
      merchant_id: shop.merchantId,
      merchant_name: 'Hafen',
      amount: 1_900,
      currency: 'EUR',
      age_seconds: expect.any(Number),
      next: `npm run ops -- ask ${checkoutId}`,
      links: {
        temporal_ui: `https://temporal.example/namespaces/default/workflows/${checkoutId}`,
        runbook: 'https://wiki.example/operations#reconciliation_required',
      },
    },
  });
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(event);
  expect(
    verifyWebhook({ rawBody: body, signature: String(headers['service-signature']), secret }),
  ).toMatchObject({ id: event.id });

  await state('created');
  await round();
  await round();
  expect(told()).toEqual([opened, cleared]);
  expect(receiver.nth(1).event.id).not.toBe(event.id);
  const over = receiver.nth(1).event as object as IncidentNotice;
  expect(over.incident).toMatchObject({
    means: `Cleared at ${over.created_at}. "npm run ops -- why ${checkoutId}" shows how it ended.`,
    by_itself: 'No action needed.',
    next: null,
  });

  await state('reconciliation_required');
  await round();
  expect(told()).toEqual([opened, cleared, opened]);
});

/** @returns a function that ends the incidents */
async function inDoubt(count: number, at = shop): Promise<() => Promise<unknown>> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1)
    ids.push((await insertPurchase(pool, at, at.products.oneTime)).checkoutId);
  const become = (to: string) =>
    pool.query(sql.unsafe`update checkouts set state = ${to} where id = any (${sql.array(ids, 'text')})`);
  await become('reconciliation_required');
  return () => become('created');
}

const minutesLater = (minutes: number) =>
  pool.query(sql.unsafe`
    update incident_notices set opened_at = opened_at - ${minutes} * interval '1 minute',
      counted_at = counted_at - ${minutes} * interval '1 minute', notified_at = notified_at - ${minutes} * interval '1 minute'`);

test('incidents of one cause at many merchants produce one message, then one update with their count and the worst affected', async () => {
  const round = teller();
  await round();
  const ends: (() => Promise<unknown>)[] = [];
  for (let n = 0; n < 7; n += 1) ends.push(await inDoubt(1, await insertShop(pool, { name: `Shop ${n}` })));
  const large = await insertShop(pool, { name: 'Large' });
  ends.push(await inDoubt(1, large));
  await pool.query(sql.unsafe`
    update checkouts set amount = 250000, currency = 'USD' where merchant_id = ${large.merchantId}`);
  await round();
  await minutesLater(9);
  await round();
  expect(told()).toEqual([opened]);
  await minutesLater(2);
  await round();
  await round();
  expect(told()).toEqual([opened, grown]);
  const [, update] = notices();
  expect(update).toMatchObject({
    count: 9,
    merchants: 9,
    amounts: [
      { amount: 8 * 1_900, currency: 'EUR' },
      { amount: 250_000, currency: 'USD' },
    ],
    incident: {
      id: checkoutId,
      amount: 1_900,
      next: 'npm run ops -- list --kind reconciliation_required --environment sandbox',
    },
  });
  expect(update?.worst).toHaveLength(5);
  expect(update?.worst[0]).toMatchObject({
    merchant_name: 'Large',
    amount: 250_000,
    next: expect.stringContaining('npm run ops -- ask ap_chk_'),
  });

  ends.push(await inDoubt(1, await insertShop(pool)));
  await round();
  expect(told()).toEqual([opened, grown, opened]);
  const [first, again, later] = keys();
  expect([again, later === first]).toEqual([first, false]);
  for (const end of ends) await end();
  await state('created');
  await round();
  expect(told().slice(3)).toEqual([cleared, cleared]);
  expect(keys().slice(3).sort()).toEqual([first, later].sort());
});

test('a merchant whose incidents ended leaves its group, and its next incident is sent as a separate message', async () => {
  const other = await insertShop(pool);
  const end = await inDoubt(1, other);
  const round = teller();
  await round();
  await end();
  await minutesLater(11);
  await round();
  expect(told()).toEqual([opened]);
  const endAgain = await inDoubt(1, other);
  await round();
  expect(told()).toEqual([opened, opened]);
  expect(receiver.nth(1).event).toMatchObject({ count: 1, incident: { merchant_id: other.merchantId } });
  await state('created');
  await round();
  expect(keys()[2]).toBe(keys()[0]);
  await endAgain();
  await round();
  expect(keys()[3]).toBe(keys()[1]);
});

test('incidents of one cause are sent as one message with their count, total amount and one command', async () => {
  const end = await inDoubt(22);
  const round = teller();
  await round();
  expect(told()).toEqual([opened]);
  expect(receiver.nth(0).event).toMatchObject({
    count: 23,
    merchants: 1,
    amounts: [{ amount: 23 * 1_900, currency: 'EUR' }],
    incident: {
      next: `npm run ops -- list --kind reconciliation_required --merchant ${shop.merchantId} --environment sandbox`,
    },
  });
  await state('created');
  await round();
  expect(told()).toEqual([opened]);
  await end();
  await round();
  expect(told()).toEqual([opened, cleared]);
});

test('further incidents of a cause are reported at ten times the count, or after half an hour', async () => {
  const round = teller();
  await round();
  const ends = [await inDoubt(8)];
  await round();
  expect(told()).toEqual([opened]);
  ends.push(await inDoubt(1));
  await round();
  await round();
  expect(told()).toEqual([opened, grown]);
  expect(receiver.nth(1).event).toMatchObject({
    count: 10,
    amounts: [{ amount: 10 * 1_900, currency: 'EUR' }],
  });
  ends.push(await inDoubt(1));
  await round();
  expect(told()).toHaveLength(2);
  await minutesLater(31);
  await round();
  expect(told()).toHaveLength(3);
  expect(receiver.nth(2).event).toMatchObject({ type: 'incident.grown', count: 11 });
  await ends.pop()?.();
  ends.push(await inDoubt(1));
  await minutesLater(31);
  await round();
  await round();
  expect(told()).toHaveLength(4);
  expect(receiver.nth(3).event).toMatchObject({ type: 'incident.grown', count: 11 });
  expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(4);
  for (const end of ends) await end();
  await state('created');
  await round();
  expect(told().at(-1)).toBe(cleared);
});

test('an incident that replaces another of the same cause is reported even if it began earlier; a reported incident is not repeated', async () => {
  const round = teller();
  await round();
  await minutesLater(31);
  await round();
  expect(told()).toEqual([opened]);

  const { checkoutId: other, paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
  await pool.query(sql.unsafe`
    update payments set call_started_at = service_clock() - interval '2 hours' where id = ${paymentId}`);
  await pool.query(sql.unsafe`update checkouts set state = 'reconciliation_required' where id = ${other}`);
  await state('created');
  await minutesLater(31);
  await round();
  expect(told()).toEqual([opened, grown]);
  expect(receiver.nth(1).event).toMatchObject({ count: 1, incident: { id: other } });
  await pool.query(sql.unsafe`update checkouts set state = 'created' where id = ${other}`);
  await round();
  expect(told().at(-1)).toBe(cleared);
});

test('messages that could not be delivered during an outage are sent in order, and the outage is logged once', async () => {
  await receiver.stop();
  const round = teller();
  await round();
  await state('created');
  await dueNow();
  await round();
  expect(lines).toEqual(['operators cannot be notified']);
  await receiver.start();
  await dueNow();
  await round();
  expect(told()).toEqual([opened, cleared]);
  expect(lines).toEqual(['operators cannot be notified', 'operators can be notified again']);
});

test('an incident that the receiver rejects does not delay other incidents', async () => {
  const round = teller();
  receiver.answer = status(400);
  await round();
  await minutesLater(11);
  await dueNow();
  const end = await inDoubt(1, await insertShop(pool));
  (receiver.received as unknown[]).length = 0;
  receiver.answer = (response, received, count) =>
    (received.body.includes(checkoutId) ? status(400) : ok)(response, received, count);
  await round();
  expect(told()).toHaveLength(2);
  receiver.answer = ok;
  await dueNow();
  await round();
  expect(told()).toHaveLength(3);
  expect(told()[2]).toBe(opened);
  await end();
});

test('if a worker dies before recording the delivery, another worker sends the same message', async () => {
  await operatorsTeller({
    pool: Object.assign(Object.create(pool), {
      query: () => Promise.reject(new Error('the process died')),
    }) as Pool,
    logger: pino({ level: 'silent' }),
    operators: { links: { runbookUrl: 'x' }, webhook: { url: receiver.url, secret } },
  })(goesOn).catch(() => {});
  expect(told()).toEqual([opened]);
  // A leased notice is not claimed again.
  await teller()();
  expect(told()).toEqual([opened]);
  await dueNow();
  await teller()();
  expect(told()).toEqual([opened, opened]);
  expect(receiver.nth(1).event.id).toBe(receiver.nth(0).event.id);
});

test('two concurrent workers send each message once', async () => {
  await Promise.all([teller()(), teller()(), teller()()]);
  expect(told()).toEqual([opened]);
});

test('operators are notified of a fenced database, although merchants receive no webhooks', async () => {
  await state('created');
  await pool.query(sql.unsafe`update ledger_copy set fenced_at = service_clock(), epoch = 17`);
  await teller()();
  await pool.query(sql.unsafe`update ledger_copy set fenced_at = null`);
  await teller()();
  expect(told()).toEqual(['incident.opened database_fenced', 'incident.cleared database_fenced']);
  expect(notices()[1]?.incident.means).toMatch(/^Cleared at [^ ]+Z\.$/);
  expect(receiver.nth(0).event).toMatchObject({ merchants: 0, amounts: [], worst: [] });
});

test('operators are not notified when a person stops a merchant', async () => {
  await state('created');
  const become = (status: string) =>
    pool.query(sql.unsafe`update merchants set status = ${status} where id = ${shop.merchantId}`);
  await become('inactive');
  await teller()();
  await become('active');
  expect(told()).toEqual([]);
});

test('no notice is claimed when none is due', async () => {
  await state('created');
  await teller()();
  expect(await claimNotice(pool)).toBeNull();
  expect(told()).toEqual([]);
});
