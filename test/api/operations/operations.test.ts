/** Operators over HTTP: the permissions of each role, and every refusal with its advice. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { OperateDeps } from '../../../api/operations/operate-deps.ts';
import { confirm } from '../../../api/operations/second-person.ts';
import { sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { recordContradiction } from '../../../db/payment/orphaned-charges.ts';
import { answerResolveRequest } from '../../../db/payment/resolve-requests.ts';
import { atOnce } from '../../support/api/admin-api.ts';
import { expectRefusal } from '../../support/api/api.ts';
import { type PeopleApi, startPeopleApi } from '../../support/api/people-api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import {
  insertMerchant,
  insertPurchase,
  insertSession,
  insertShop,
  type Purchase,
  type Shop,
} from '../../support/db/fixtures.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';

let api: PeopleApi;
let shop: Shop;
let other: Shop;
let purchase: Purchase;

beforeAll(async () => {
  api = await startPeopleApi({ secondPersonAbove: 1_000 });
  shop = await insertShop(api.pool);
  other = await insertShop(api.pool);
  purchase = await insertPurchase(api.pool, shop, shop.products.oneTime);
  await insertDispute('ap_dis_small', 900);
  await insertDispute('ap_dis_large', 1_900);
});
afterAll(() => api?.stop());

async function insertDispute(id: string, amount: number, paymentId = purchase.paymentId): Promise<void> {
  await api.pool.query(sql.unsafe`
    insert into disputes (id, merchant_id, environment, payment_id, rail_account_id, rail_dispute_id, status, amount,
      currency, reason, opened_at)
    values (${id}, ${shop.merchantId}, 'sandbox', ${paymentId}, ${shop.railAccountId}, ${id}, 'open', ${amount},
      'EUR', 'fraudulent', service_clock())`);
}

const INCIDENTS = '/v1/operations/incidents';
const AUDIT = '/v1/operations/audit';
const pathOf = (id: string) => `/v1/operations/subjects/${id}`;
const confirming = (id: string) => `/v1/operations/requests/${id}/confirm`;
const reason = 'because';
const RAIL = 'sandbox:sandbox';

async function command(id: string, body: object, sub = 'ada') {
  const token = await api.provider.token({ role: 'platform', sub });
  return api.request('POST', `${pathOf(id)}/commands`, {
    headers: { authorization: `Bearer ${token}` },
    body,
  });
}
async function confirmedBy(sub: string, id: string) {
  const token = await api.provider.token({ role: 'platform', sub });
  return api.request('POST', confirming(id), { headers: { authorization: `Bearer ${token}` } });
}
async function withdrawnBy(sub: string, id: string, body: object = { reason }) {
  const token = await api.provider.token({ role: 'platform', sub });
  const headers = { authorization: `Bearer ${token}` };
  return api.request('POST', `/v1/operations/requests/${id}/withdraw`, { headers, body });
}
const idsIn = (body: { readonly data: readonly { readonly id: string }[] }) =>
  body.data.map(({ id }) => id).sort();

describe('the operators’ view', () => {
  const as = async (role: 'owner' | 'support' | 'platform', path: string) => {
    const token = await api.provider.token({ role, merchants: [other.merchantId] });
    return api.request('GET', path, { headers: { authorization: `Bearer ${token}` } });
  };

  test('an owner has no access to operations, support can read, and platform people can act', async () => {
    const may = async (role: 'owner' | 'support' | 'platform') =>
      (await as(role, '/v1/operations/access')).body.may;
    expect([await may('owner'), await may('support'), await may('platform')]).toEqual([
      [],
      ['see'],
      ['see', 'act'],
    ]);
  });

  test('merchants are listed with their health and oldest incident, paginated; support sees its own merchants, owners none', async () => {
    const path = '/v1/operations/merchants';
    const first = await as('platform', `${path}?limit=1`);
    const second = await as('platform', `${path}?limit=1&cursor=${first.body.next_cursor}`);
    expect(idsIn({ data: [...first.body.data, ...second.body.data] })).toEqual(
      [shop.merchantId, other.merchantId].sort(),
    );
    const [found] = (await as('platform', `${path}?q=${shop.merchantId}`)).body.data;
    expect(found).toMatchObject({
      status: 'active',
      sandbox_rail: 'active',
      live_rail: null,
      endpoints_failing: 0,
      incidents: 2,
      oldest_incident_at: expect.any(String),
    });
    expect(idsIn((await as('support', path)).body)).toEqual([other.merchantId]);
    expectRefusal(await as('owner', path), 403, 'administration_forbidden');
  });
});

describe('missing workers', () => {
  const ID = 'workers:production';
  const platform = () => api.as('platform');
  const support = () => api.as('support', shop.merchantId);

  test('are listed first, as incidents of the whole installation, with an explanation', async () => {
    const [first, second, ...others] = (await platform()('GET', INCIDENTS)).body.data;
    expect([first.id, second.id]).toEqual(['workers:sandbox', ID]);
    expect(others.map(({ kind }: { kind: string }) => kind)).not.toContain('workers_missing');
    const { status, body } = await platform()('GET', pathOf(ID));
    expect({ status, subject: body.subject }).toMatchObject({
      status: 200,
      subject: { kind: 'incident', state: 'workers_missing' },
    });
    expect(body.incidents).toMatchObject([{ id: ID, links: { runbook: 'docs/on-call.md#workers_missing' } }]);
  });

  test('are not shown to support, who see only incidents of merchants', async () => {
    expect(idsIn((await support()('GET', INCIDENTS)).body)).not.toContain(ID);
    expectRefusal(await support()('GET', pathOf(ID)), 404, 'operation_subject_not_found');
  });
});

describe('authorization', () => {
  const routes: readonly (readonly [string, () => string, object | undefined])[] = [
    ['GET', () => INCIDENTS, undefined],
    ['GET', () => AUDIT, undefined],
    ['GET', () => `/v1/operations/subjects?id=${purchase.paymentId}`, undefined],
    ['GET', () => pathOf(purchase.paymentId), undefined],
    ['POST', () => `${pathOf(shop.railAccountId)}/commands`, { command: 'pause_rail', reason }],
    ['POST', () => confirming('ap_opr_1'), undefined],
    ['POST', () => '/v1/operations/requests/ap_opr_1/withdraw', { reason }],
    ['POST', () => `/v1/operations/customers/${purchase.customerId}/export`, { reason }],
    ['POST', () => `/v1/operations/customers/${purchase.customerId}/erase`, { reason }],
  ];

  test.each(routes)('%s %s refuses a merchant’s key and its owner', async (method, path, body) => {
    expectRefusal(
      await api.request(method, path(), { apiKey: shop.apiKey, body }),
      403,
      'administration_forbidden',
    );
    expectRefusal(
      await api.as('owner', shop.merchantId)(method, path(), body),
      403,
      'administration_forbidden',
    );
  });

  test('support sees its own merchants but not the actors, and cannot act', async () => {
    const theirs = api.as('support', shop.merchantId);
    const strangers = api.as('support', other.merchantId);
    expect(idsIn((await theirs('GET', INCIDENTS)).body)).toEqual(['ap_dis_large', 'ap_dis_small']);
    expect(idsIn((await strangers('GET', INCIDENTS)).body)).toEqual([]);
    expect((await theirs('GET', pathOf(purchase.paymentId))).status).toBe(200);
    expectRefusal(await strangers('GET', pathOf(purchase.paymentId)), 404, 'operation_subject_not_found');
    expect(idsIn((await strangers('GET', `/v1/operations/subjects?id=${purchase.paymentId}`)).body)).toEqual(
      [],
    );
    expectRefusal(await theirs('GET', AUDIT), 403, 'administration_forbidden');
    expectRefusal(await theirs('GET', pathOf(RAIL)), 404, 'operation_subject_not_found');
    const pause = { command: 'pause_rail', reason };
    expectRefusal(
      await theirs('POST', `${pathOf(shop.railAccountId)}/commands`, pause),
      403,
      'administration_forbidden',
    );
  });
});

test('incidents are filtered by kind and amount', async () => {
  const platform = api.as('platform');
  expect(idsIn((await platform('GET', `${INCIDENTS}?kind=dispute_open&min_amount=1000`)).body)).toEqual([
    'ap_dis_large',
  ]);
  expect(idsIn((await platform('GET', `${INCIDENTS}?older_than_seconds=1000000000`)).body)).toEqual([]);
  for (const query of ['kind=odd', 'older_than_seconds=999999999999', 'min_amount=2147483648'])
    expectRefusal(await platform('GET', `${INCIDENTS}?${query}`), 400, 'invalid_request');
});

test('any object is found by its id and explained', async () => {
  const platform = api.as('platform');
  const found = await platform('GET', `/v1/operations/subjects?id=${purchase.orderId}`);
  expect(idsIn(found.body)).toEqual([purchase.checkoutId]);
  const told = await platform('GET', pathOf(purchase.paymentId));
  expect(told.body).toMatchObject({
    means: 'The rail confirmed the charge.',
    subject: { id: purchase.paymentId },
    commands: [],
  });
});

test('only the commands that apply are offered', async () => {
  const commands = async (id: string) => (await api.as('platform')('GET', pathOf(id))).body.commands;
  const names = async (id: string) =>
    (await commands(id)).map(({ command: name }: { command: string }) => name);
  expect(await names(shop.railAccountId)).toEqual(['pause_rail', 'resume_rail']);
  expect(await names('ap_dis_small')).toEqual(['dispute_close', 'ask']);
  // The dispute does not put the payment in doubt, so no command applies to the payment.
  expect(await names(purchase.paymentId)).toEqual([]);
  expect(await names(shop.merchantId)).toEqual(['stop_merchant']);
  const contradicted = await insertPurchase(api.pool, shop, shop.products.oneTime);
  await inTransaction(api.pool, (tx) => recordContradiction(tx, contradicted.paymentId));
  expect(await commands(contradicted.paymentId)).toEqual([
    { command: 'incident_close', incident_kind: 'payment_not_at_rail' },
  ]);
});

describe('a command', () => {
  test('pauses a rail account once and records the person in the audit log', async () => {
    expect((await command(shop.railAccountId, { command: 'pause_rail', reason })).body).toMatchObject({
      done: true,
      message: `${shop.railAccountId} accepts no new attempts until resume-rail.`,
    });
    const twice = await command(shop.railAccountId, { command: 'pause_rail', reason });
    expectRefusal(twice, 409, 'operation_refused');
    expect(twice.body.message).toContain('was already paused');
    const reasonSeenBy = async (role: 'platform' | 'support') => {
      const see = api.as(role, shop.merchantId);
      const { data } = (await see('GET', `${INCIDENTS}?kind=rail_unavailable`)).body;
      const { incidents } = (await see('GET', pathOf(shop.railAccountId))).body;
      return [...data, ...incidents].map((incident: { reason: string }) => incident.reason);
    };
    const paused = `paused by person:ada: ${reason}`;
    expect(await reasonSeenBy('platform')).toEqual([paused, paused]);
    expect(await reasonSeenBy('support')).toEqual(['paused by an operator', 'paused by an operator']);
    expect((await command(shop.railAccountId, { command: 'resume_rail', reason })).status).toBe(200);
    const seenBy = (role: 'platform' | 'support') =>
      api.as(role, shop.merchantId)('GET', pathOf(shop.railAccountId));
    const [all, less] = [await seenBy('platform'), await seenBy('support')];
    expect(JSON.stringify(all.body.history)).toContain('person:ada');
    expect(less.status).toBe(200);
    expect(JSON.stringify(less.body)).not.toContain('person:ada');
    expect(await api.audited(shop.merchantId)).toMatchObject([
      {
        actor: 'person:ada',
        action: 'rail.pause',
        subject_id: shop.railAccountId,
        request_id: expect.any(String),
      },
      { actor: 'person:ada', action: 'rail.resume' },
    ]);
  });

  test('pauses and resumes a whole rail, with its environment', async () => {
    expect((await command(RAIL, { command: 'pause_rail', reason })).body).toMatchObject({
      done: true,
      message: `${RAIL} accepts no new attempts until resume-rail.`,
    });
    const { body: listed } = await api.as('platform')('GET', `${INCIDENTS}?kind=rail_unavailable`);
    expect(idsIn(listed)).toEqual([RAIL]);
    const { body: told } = await api.as('platform')('GET', pathOf(RAIL));
    expect(told).toMatchObject({ subject: { kind: 'rail', state: 'paused' }, incidents: [{ id: RAIL }] });
    expect((await command(RAIL, { command: 'resume_rail', reason })).status).toBe(200);
    expectRefusal(
      await command('sandbox:production', { command: 'pause_rail', reason }),
      404,
      'operation_subject_not_found',
    );
    expectRefusal(await command(RAIL, { command: 'stop_merchant', reason }), 409, 'operation_refused');
    const { body: audit } = await api.as('platform')('GET', `${AUDIT}?subject_id=${RAIL}`);
    expect(audit.data).toMatchObject([
      { actor: 'person:ada', action: 'rail.resume', merchant_id: null },
      { actor: 'person:ada', action: 'rail.pause', after: { reason } },
    ]);
  });

  test('credits an uncollectible invoice once', async () => {
    const { invoiceId } = await insertPurchase(api.pool, shop, shop.products.recurring, { recurring: true });
    const credit = () => command(invoiceId, { command: 'credit', reason, evidence: 'e' });
    const shown = async () => {
      const { subject, commands } = (await api.as('platform')('GET', pathOf(invoiceId))).body;
      return [subject.state, commands.map((each: { command: string }) => each.command)];
    };
    expect(await shown()).toEqual(['created', []]);
    const early = await credit();
    expectRefusal(early, 409, 'operation_refused');
    expect(early.body.message).toBe(
      `Only an uncollectible invoice can be credited. ${invoiceId} is created: Paid, or nothing was due.`,
    );
    await api.pool.query(sql.unsafe`update invoices set status = 'uncollectible' where id = ${invoiceId}`);
    expect(await shown()).toEqual(['uncollectible', ['credit']]);
    expect((await credit()).body).toMatchObject({
      done: true,
      message: expect.stringMatching(`^${invoiceId} is credited: .*CN-\\d{4}-000001\\.$`),
    });
    expect(await shown()).toEqual(['credited', []]);
    const again = await credit();
    expectRefusal(again, 409, 'operation_refused');
    expect(again.body.message).toBe(`${invoiceId} is already credited.`);
  });

  test.each<[string, () => string, object, string]>([
    [
      'to resolve a payment by its own id',
      () => purchase.paymentId,
      { command: 'resolve', outcome: 'failed', reason, evidence: 'e' },
      'is a payment: resolve takes the id of a session or subscription or refund',
    ],
    [
      'to record the return of a charge that is not orphaned',
      () => purchase.paymentId,
      { command: 'returned', reason, evidence: 'e' },
      'is not an orphaned charge',
    ],
    [
      'to close an incident that closes automatically',
      () => purchase.paymentId,
      { command: 'incident_close', kind: 'overdue', reason },
      'close automatically',
    ],
    [
      'to close an incident that is not open',
      () => purchase.paymentId,
      { command: 'incident_close', kind: 'payment_not_at_rail', reason },
      'has no open payment_not_at_rail',
    ],
  ])('%s is refused with an explanation', async (_what, id, body, words) => {
    await api.pool.query(sql.unsafe`update payments set amount = 900 where id = ${purchase.paymentId}`);
    const answer = await command(id(), body);
    expectRefusal(answer, 409, 'operation_refused');
    expect(answer.body.message).toContain(words);
  });

  test.each([
    { command: 'endpoint_redeliver', event_id: 'evt_deleted' },
    { command: 'endpoint_recover', since: '2026-01-01T00:00:00Z' },
    { command: 'endpoint_resume' },
    { command: 'endpoint_pause' },
  ])('$command is refused for a deleted endpoint, which never receives events again', async (asked) => {
    const { id } = await createEndpoint(api.pool, shop);
    await api.pool.query(sql.unsafe`
      insert into events (id, merchant_id, environment, type, aggregate_id, aggregate_version, body)
      values ('evt_deleted', ${shop.merchantId}, 'sandbox', 'payment.failed', ${purchase.paymentId}, 77, '{}')
      on conflict do nothing`);
    await api.pool.query(
      sql.unsafe`insert into deliveries (endpoint_id, event_id) values (${id}, 'evt_deleted')`,
    );
    await api.pool.query(sql.unsafe`update webhook_endpoints set status = 'deleted' where id = ${id}`);
    const refused = await command(id, { ...asked, reason });
    expectRefusal(refused, 409, 'operation_refused');
    expect(refused.body.message).toBe(`${id} has been deleted.`);
  });

  test('is refused if its subject is already settled or evidence is missing', async () => {
    const { checkoutId } = await insertPurchase(api.pool, other, other.products.oneTime);
    await api.pool.query(sql.unsafe`
      update checkouts set state = 'succeeded', finished_at = service_clock(), amount = 900 where id = ${checkoutId}`);
    const resolve = { command: 'resolve', outcome: 'failed', reason };
    const settled = await command(checkoutId, { ...resolve, evidence: 'e' });
    expectRefusal(settled, 409, 'operation_refused');
    expect(settled.body.message).toContain('Nothing to settle: the session is succeeded');
    expectRefusal(await command(checkoutId, resolve), 400, 'invalid_request');
    expectRefusal(
      await command('ap_chk_unknown', { ...resolve, evidence: 'e' }),
      404,
      'operation_subject_not_found',
    );
  });

  test('stops a merchant: its keys are refused immediately', async () => {
    expect((await command(other.merchantId, { command: 'stop_merchant', reason })).status).toBe(200);
    expectRefusal(
      await api.request('GET', '/v1/products', { apiKey: other.apiKey }),
      403,
      'merchant_inactive',
    );
    expectRefusal(
      await command(other.merchantId, { command: 'stop_merchant', reason }),
      409,
      'operation_refused',
    );
    const reasonsSeenBy = async (role: 'platform' | 'support') => {
      const see = api.as(role, other.merchantId);
      const { data } = (await see('GET', `${INCIDENTS}?kind=merchant_stopped`)).body;
      return data.map((incident: { reason: string }) => incident.reason);
    };
    expect(await reasonsSeenBy('platform')).toEqual([
      expect.stringMatching(`^stopped by person:ada at .* UTC: ${reason}$`),
    ]);
    expect(await reasonsSeenBy('support')).toEqual(['stopped by an operator']);
  });

  test.each([
    ['start_merchant', 'was not stopped.'],
    ['stop_merchant', 'was already stopped.'],
  ] as const)(
    'of two concurrent %s commands one succeeds, and the other is refused because the merchant %s',
    async (name, before) => {
      const { pool } = api;
      const status = name === 'start_merchant' ? 'inactive' : 'active';
      const merchantId = await insertMerchant(pool, { status });
      const answers = await atOnce({ server: api }, 2, () => command(merchantId, { command: name, reason }));
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
      expect(answers.find((answer) => answer.status === 409)?.body.message).toBe(`${merchantId} ${before}`);
      expect(await pool.any(sql.unsafe`select from audit_log where subject_id = ${merchantId}`)).toHaveLength(
        1,
      );
    },
  );
});

/** A session whose only attempt has no known outcome. */
async function inDoubt(): Promise<Purchase> {
  const made = await insertPurchase(api.pool, shop, shop.products.oneTime, { paymentStatus: 'processing' });
  await api.pool.query(sql.unsafe`
    update checkouts set state = 'reconciliation_required' where id = ${made.checkoutId}`);
  return made;
}

/** Fails the attempt, and adds the buyer's next one. */
async function anotherAttempt(paymentId: string): Promise<string> {
  await api.pool.query(sql.unsafe`update payments set status = 'failed' where id = ${paymentId}`);
  return api.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    insert into payments (merchant_id, environment, order_id, checkout_id, attempt_no, claim_id, rail_account_id, rail,
      status, amount, currency)
    select merchant_id, environment, order_id, checkout_id, 2, claim_id || '-2', rail_account_id, rail, 'processing',
      amount, currency
    from payments where id = ${paymentId} returning id`);
}

const resolveRequestsOf = (subjectId: string) =>
  api.pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    select id from resolve_requests where subject_id = ${subjectId}`);

describe('a command about money', () => {
  const resolveAsFailed = { command: 'resolve', outcome: 'failed', reason, evidence: 'no charge to be seen' };
  const close = { command: 'dispute_close', status: 'won', reason, evidence: 'the letter' };

  test('needs only one person below the configured amount', async () => {
    expect((await command('ap_dis_small', close)).body).toMatchObject({ done: true });
  });

  test('above the configured amount is confirmed once, by another person; the audit log names both', async () => {
    const asked = await command('ap_dis_large', close);
    expect({ status: asked.status, done: asked.body.done }).toEqual({ status: 202, done: false });
    const id = asked.body.waiting_request;
    expect(asked.body.message).toContain(`npm run ops -- confirm ${id}`);
    const again = await command('ap_dis_large', close, 'ben');
    expect(again.body.message).toContain(
      `is already waiting for a second person: npm run ops -- confirm ${id}`,
    );
    const incidents = await api.as('platform')('GET', `${INCIDENTS}?kind=second_person_needed`);
    expect(idsIn(incidents.body)).toEqual([id]);
    const request = {
      id,
      subject_id: 'ap_dis_large',
      command: 'dispute_close',
      outcome: 'won',
      reason,
      evidence: 'the letter',
      amount: 1_900,
      asked_by: 'person:ada',
    };
    expect(incidents.body.data).toMatchObject([{ request }]);
    expect((await api.as('platform')('GET', pathOf(id))).body).toMatchObject({ request });
    const theirs = api.as('support', shop.merchantId);
    const less = await theirs('GET', `${INCIDENTS}?kind=second_person_needed`);
    expect(less.body.data).toMatchObject([
      { id, request: null, reason: 'dispute_close of ap_dis_large waits' },
    ]);
    expect((await theirs('GET', pathOf(id))).body.request).toBeNull();

    const alone = await confirmedBy('ada', id);
    expectRefusal(alone, 409, 'operation_refused');
    expect(alone.body.message).toBe('You requested it yourself: another person must confirm.');
    expect((await confirmedBy('ben', id)).body).toMatchObject({
      done: true,
      message: 'ap_dis_large is recorded as won.',
    });
    expectRefusal(await confirmedBy('cem', id), 409, 'operation_refused');
    expectRefusal(await confirmedBy('cem', 'ap_opr_unknown'), 409, 'operation_refused');
    const closed = (await api.audited(shop.merchantId)).filter(
      ({ subject_id }) => subject_id === 'ap_dis_large',
    );
    expect(closed).toMatchObject([
      { actor: 'person:ada', action: 'operator_request.ask', after: { request: id, status: 'won' } },
      { actor: 'person:ada, confirmed by person:ben', action: 'dispute.close' },
    ]);
  });

  test('waits for another person before it credits an invoice above the configured amount', async () => {
    const { invoiceId } = await insertPurchase(api.pool, shop, shop.products.oneTime);
    const asked = await command(invoiceId, { command: 'credit', reason, evidence: 'the letter' });
    expect(asked.body).toMatchObject({ done: false, waiting_request: expect.any(String) });
    const refused = await confirmedBy('ben', asked.body.waiting_request);
    expectRefusal(refused, 409, 'operation_refused');
    expect(refused.body.message).toContain('Only an uncollectible invoice can be credited.');
  });

  test('is listed for either of its two people in the paginated audit log of all merchants', async () => {
    const read = async (query: string) => (await api.as('platform')('GET', `${AUDIT}?${query}`)).body;
    const all = await read('limit=100');
    const first = await read('limit=2');
    const second = await read(`limit=98&cursor=${first.next_cursor}`);
    expect([...first.data, ...second.data]).toEqual(all.data);
    expect(all.data.length).toBeGreaterThan(2);
    const closed = expect.objectContaining({ action: 'dispute.close', subject_id: 'ap_dis_large' });
    for (const actor of ['person:ada', 'person:ben', 'person:ada, confirmed by person:ben'])
      expect((await read(`actor=${encodeURIComponent(actor)}`)).data).toContainEqual(closed);
    expect((await read('actor=person:be')).data).toEqual([]);
    const ofOther = await read(`merchant_id=${other.merchantId}&environment=sandbox`);
    expect(ofOther.data.map((each: { merchant_id: string }) => each.merchant_id)).toEqual([]);
    expect((await read(`merchant_id=${other.merchantId}`)).data).toMatchObject([
      { action: 'merchant.update', merchant_id: other.merchantId },
    ]);
    expect((await api.as('platform')('GET', `${AUDIT}?cursor=x`)).status).toBe(400);
  });

  test('can be withdrawn and replaced while it waits, but not once confirmed', async () => {
    await insertDispute('ap_dis_typo', 1_900);
    const { body } = await command('ap_dis_typo', { ...close, status: 'lost' });
    const id = body.waiting_request;
    const withdrawn = await withdrawnBy('ada', id);
    expect(withdrawn.body).toMatchObject({ done: true });
    expect((await confirmedBy('ben', id)).body.message).toContain('It was withdrawn');
    expectRefusal(await withdrawnBy('ada', id), 409, 'operation_refused');
    expect((await withdrawnBy('ada', id, {})).status).toBe(400);

    const again = (await command('ap_dis_typo', close)).body.waiting_request;
    expect((await confirmedBy('ben', again)).body).toMatchObject({ done: true });
    expectRefusal(await withdrawnBy('ada', again), 409, 'operation_refused');
    const audited = (await api.audited(shop.merchantId)).filter(
      ({ subject_id }) => subject_id === 'ap_dis_typo',
    );
    expect(audited.map(({ action }) => action)).toEqual([
      'operator_request.ask',
      'operator_request.withdraw',
      'operator_request.ask',
      'dispute.close',
    ]);
  });

  test('is listed if its process died after the confirmation, and executed when confirmed again', async () => {
    await insertDispute('ap_dis_died', 1_900);
    const { body } = await command('ap_dis_died', close);
    const id = body.waiting_request;
    await api.pool.query(sql.unsafe`
      update operator_requests set confirmed_by = 'person:ben', confirmed_at = service_clock() - interval '2 days',
        asked_at = asked_at - interval '2 days' where id = ${id}`);
    const incidents = await api.as('platform')('GET', `${INCIDENTS}?kind=second_person_needed`);
    expect(idsIn(incidents.body)).toContain(id);
    expect((await confirmedBy('ben', id)).body).toMatchObject({ done: true });
    const after = await api.as('platform')('GET', `${INCIDENTS}?kind=second_person_needed`);
    expect(idsIn(after.body)).not.toContain(id);
  });

  test('is refused for a charge that is no longer open, and can be requested again', async () => {
    const { checkoutId, paymentId } = await inDoubt();
    const { body } = await command(checkoutId, resolveAsFailed);
    const incidents = await api.as('platform')('GET', `${INCIDENTS}?kind=second_person_needed`);
    expect(incidents.body.data).toContainEqual(
      expect.objectContaining({ id: body.waiting_request, payment_id: paymentId }),
    );
    const next = await anotherAttempt(paymentId);
    const answer = await confirmedBy('ben', body.waiting_request);
    expectRefusal(answer, 409, 'operation_refused');
    expect(answer.body.message).toContain(`was about ${paymentId}, but ${next} is open now`);
    expect(await resolveRequestsOf(checkoutId)).toEqual([]);
    expect((await command(checkoutId, resolveAsFailed)).status).toBe(202);
  });

  test('counts with the amount of the open charge if it is about a subscription', async () => {
    const { subscriptionId, paymentId, invoiceId } = await insertPurchase(
      api.pool,
      shop,
      shop.products.recurring,
      { recurring: true, paymentStatus: 'processing' },
    );
    await api.pool.query(sql.unsafe`
      update payments set amount = 1900, invoice_id = ${invoiceId}, checkout_id = null where id = ${paymentId}`);
    const { status, body } = await command(String(subscriptionId), resolveAsFailed);
    expect(status).toBe(202);
    const waiting = await api.as('platform')('GET', `${INCIDENTS}?kind=second_person_needed`);
    expect(waiting.body.data).toContainEqual(
      expect.objectContaining({ id: body.waiting_request, payment_id: paymentId, amount: 1_900 }),
    );
  });

  test('stays a single request with one result if it is confirmed again after a crash', async () => {
    const { checkoutId, paymentId } = await inDoubt();
    const { body } = await command(checkoutId, resolveAsFailed);
    const session = { timings: { reconcileSeconds: [1], reconcileLongSeconds: [2] } };
    const { pool, temporal: client } = api;
    const deps = { pool, client, session, secondPersonAbove: 1_000, timeoutMs: 1 };
    const confirmOnce = () => confirm(deps, body.waiting_request, { actor: 'person:ben' });
    expect(await confirmOnce()).toMatchObject({ done: false });
    await api.pool.query(sql.unsafe`
      update operator_requests set carried_out_at = null where id = ${body.waiting_request}`);
    await api.pool.query(sql.unsafe`update payments set status = 'failed' where id = ${paymentId}`);
    const [requestId] = await resolveRequestsOf(checkoutId);
    await answerResolveRequest(api.pool, String(requestId), 'done: failed');
    expect(await confirmOnce()).toMatchObject({ done: true, message: 'done: failed' });
    expect(await resolveRequestsOf(checkoutId)).toEqual([requestId]);
  });

  test('is withdrawn and replaced if its command no longer exists', async () => {
    const disputeId = 'ap_dis_unread';
    await insertDispute(disputeId, 1_900);
    const id = (await command(disputeId, close)).body.waiting_request;
    await api.pool.query(sql.unsafe`
      update operator_requests set command = '{"command": "of a later release"}' where id = ${id}`);
    const answer = await confirmedBy('ben', id);
    expectRefusal(answer, 409, 'operation_refused');
    expect(answer.body.message).toContain('withdraw it');
    expect((await withdrawnBy('ben', id)).body).toMatchObject({ done: true });
    expect((await command(disputeId, close)).status).toBe(202);
  });

  test('is attributed to a person only if they send their own token', async () => {
    const nothing = {} as OperateDeps;
    await expect(confirm(nothing, 'ap_opr_1', { actor: 'operator:ben' })).rejects.toThrow('set OPS_TOKEN');
  });

  test('expires after a day', async () => {
    await insertDispute('ap_dis_old', 1_900);
    const { body } = await command('ap_dis_old', close);
    await api.pool.query(sql.unsafe`
      update operator_requests set asked_at = asked_at - interval '25 hours' where id = ${body.waiting_request}`);
    expect((await confirmedBy('ben', body.waiting_request)).body.message).toContain('expired after a day');
    expect((await command('ap_dis_old', close)).status).toBe(202);
  });
});

describe('a customer’s data', () => {
  const send = (action: 'export' | 'erase', id: string, body: object = { reason }) =>
    api.as('platform')('POST', `/v1/operations/customers/${id}/${action}`, body);

  /** A payment of 0 cents, without an order, as created by a method change. */
  async function changeMethod({ subscriptionId, checkoutId }: Purchase): Promise<void> {
    const made = await insertSession(api.pool, shop, shop.products.recurring);
    await api.pool.query(sql.unsafe`
      update checkouts c set purpose = 'method_change', subscription_id = ${subscriptionId}, state = 'succeeded',
        finished_at = service_clock(), customer_id = first.customer_id
      from checkouts first where first.id = ${checkoutId} and c.id = ${made.id}`);
    await api.pool.query(sql.unsafe`
      insert into payments (merchant_id, environment, checkout_id, attempt_no, claim_id, rail_account_id, rail,
        payment_method, status, amount, currency)
      values (${shop.merchantId}, 'sandbox', ${made.id}, 1, 'claim-of-method-change', ${shop.railAccountId}, 'sandbox',
        '{"type": "card", "brand": "mastercard", "last4": "0577"}'::jsonb, 'succeeded', 0, 'EUR')`);
  }

  test('is exported with every card and dispute, and erased when nothing is open', async () => {
    const made = await insertPurchase(api.pool, shop, shop.products.recurring, { recurring: true });
    const { customerId, paymentId, checkoutId, subscriptionId } = made;
    await changeMethod(made);
    await insertDispute('ap_dis_of_customer', 900, paymentId);
    await api.pool.query(sql.unsafe`
      update customers set email = 'ada@example.eu', name = 'Ada' where id = ${customerId}`);
    const { status, body } = await send('export', customerId);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      customer: { email: 'ada@example.eu' },
      disputes: [{ id: 'ap_dis_of_customer', payment_id: paymentId }],
    });
    const cards = body.payments.map((payment: Card) => payment.payment_method.last4);
    expect(cards.sort()).toEqual(['0577', '4242']);

    const early = await send('erase', customerId);
    expectRefusal(early, 409, 'operation_refused');
    for (const open of [checkoutId, subscriptionId, 'ap_dis_of_customer'])
      expect(early.body.message).toContain(open);
    await api.pool.query(sql.unsafe`
      update checkouts set state = 'succeeded', finished_at = service_clock() where id = ${checkoutId}`);
    await api.pool.query(sql.unsafe`
      update subscriptions set status = 'cancelled' where id = ${subscriptionId}`);
    await api.pool.query(sql.unsafe`update disputes set status = 'won' where payment_id = ${paymentId}`);
    expect((await send('erase', customerId)).body).toMatchObject({ clicks: 0, invoices_kept: 1 });
    expect((await send('export', customerId)).body.customer).toMatchObject({ email: null, name: null });
    const audited = (await api.audited(shop.merchantId)).filter((each) => each.subject_id === customerId);
    expect(audited).toMatchObject([
      {
        actor: expect.stringMatching(/^person:/),
        action: 'customer.exported',
        request_id: expect.any(String),
      },
      { action: 'customer.erased', after: { reason } },
      { action: 'customer.exported' },
    ]);
  });

  test.each(['export', 'erase'] as const)(
    '%s: 404 for an unknown id, 400 without a reason',
    async (action) => {
      for (const id of ['ap_cus_unknown', 'ap_chk_1', 'ap_cus_%00'])
        expectRefusal(await send(action, id), 404, 'operation_subject_not_found');
      expectRefusal(await send(action, purchase.customerId, {}), 400, 'invalid_request');
    },
  );
});

interface Card {
  readonly payment_method: { readonly last4: string };
}

seesEveryAnswerOf(
  'showOperatorAccess',
  'listMerchantHealth',
  'listIncidents',
  'listOperatorAudit',
  'searchSubjects',
  'explainSubject',
  'commandSubject',
  'confirmOperation',
  'withdrawOperation',
  'exportCustomer',
  'eraseCustomer',
);
