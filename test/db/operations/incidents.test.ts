/** Every kind of incident is found, with enough information for an operator to begin work. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  INCIDENT_KINDS,
  KINDS_IN_TEMPORAL,
  KINDS_OF_INCIDENT,
  RECORDED_KINDS,
} from '../../../contract/operations/incident-kinds.ts';
import { sql } from '../../../db/core/pool.ts';
import { readBusinessFigures } from '../../../db/operations/business-figures.ts';
import { closeIncident } from '../../../db/operations/close-incident.ts';
import { explain } from '../../../db/operations/explain.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { listMerchantHealth } from '../../../db/operations/merchant-health.ts';
import { searchSubjects } from '../../../db/operations/search.ts';
import { showIncidents } from '../../../db/operations/shown-incidents.ts';
import { enableEndpoint, pauseEndpoint } from '../../../db/webhook/endpoint-status.ts';
import { beginRecovery, oldestHeld, recoverBatch } from '../../../db/webhook/recover-deliveries.ts';
import { anchors } from '../../docs/documents.ts';
import { type IncidentsToMake, incidentsToMake } from '../../support/db/every-incident.ts';
import { insertMerchant, insertRailAccount, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';

let database: OpenTestDatabase;
let shop: Shop;
let refundId: string;
let disputeId: string;
let make: IncidentsToMake['make'];
let alerted: IncidentsToMake['alerted'];

beforeAll(async () => {
  database = await openTestDatabase();
  ({ shop, refundId, disputeId, make, alerted } = await incidentsToMake(database.pool));
});
afterAll(() => database?.close());

const run = (statement: Parameters<typeof database.pool.query>[0]) => database.pool.query(statement);

test.each(RECORDED_KINDS)('%s is listed with its id, merchant and reason', async (kind) => {
  const id = await make[kind]();
  const [found, ...others] = await listIncidents(database.pool, { kinds: [kind] });
  expect(others).toEqual([]);
  const ofInstallation = ['sweep_late', 'database_fenced', 'rail_unavailable'].includes(kind);
  expect(found).toMatchObject({
    kind,
    id,
    reason: expect.stringMatching(/./),
    merchant_name: ofInstallation ? null : 'Hafen',
  });
});

test('an account’s failing attempts are not listed once it is disabled, for example when replaced', async () => {
  const merchant = await insertShop(database.pool);
  await database.pool.query(sql.unsafe`
    insert into rail_breakers (scope, rail, environment, rail_account_id, state, retry_at, reason)
    select 'account:' || id, rail || '2', environment, id, 'open', service_clock(), 'malformed_answer'
    from rail_accounts where id = ${merchant.railAccountId}`);
  const listed = async () =>
    (await listIncidents(database.pool, { kinds: ['rail_unavailable'] })).map(({ id }) => id);
  expect(await listed()).toContain(merchant.railAccountId);
  await database.pool.query(
    sql.unsafe`update rail_accounts set status = 'disabled' where id = ${merchant.railAccountId}`,
  );
  expect(await listed()).not.toContain(merchant.railAccountId);
});

test.each(KINDS_OF_INCIDENT)('%s has a section in the runbook', (kind) => {
  expect(anchors('docs/on-call.md')).toContain(kind);
});

test.each(KINDS_IN_TEMPORAL)('the Temporal incident %s is not searched for in the database', async (kind) => {
  expect(await listIncidents(database.pool, { kinds: [kind] })).toEqual([]);
});

test('incidents are filtered by amount, age, merchant and environment', async () => {
  const { pool } = database;
  const all = await listIncidents(pool);
  expect(new Set(all.map(({ kind }) => kind)).size).toBe(RECORDED_KINDS.length);
  const ofMoney = await listIncidents(pool, { minAmount: 501 });
  expect(ofMoney.map(({ amount }) => amount)).not.toContain(500);
  expect(ofMoney.map(({ id }) => id)).toContain(disputeId);
  const old = await listIncidents(pool, { olderThanSeconds: 7_200 });
  expect(old.map(({ kind }) => kind)).toEqual(['dispute_open']);
  expect(await listIncidents(pool, { merchantId: 'ap_mer_other' })).toEqual([]);
  const live = (await listIncidents(pool, { environment: 'production' })).map(({ kind }) => kind);
  expect(live.toSorted()).toEqual(['database_fenced', 'merchant_stopped', 'sweep_late']);
});

test('the metrics show the number and age of listed incidents, without an environment in production', async () => {
  const { pool } = database;
  const listed = await listIncidents(pool);
  const figures = await readBusinessFigures(pool, { perMerchant: false });
  for (const kind of RECORDED_KINDS) {
    const ofKind = listed.filter((each) => each.kind === kind);
    const environment = ofKind[0]?.environment ?? 'production';
    const figureOf = (name: string) =>
      figures.find(
        ({ attributes: { state = 'paused', ...of }, ...figure }) =>
          figure.name === name &&
          of.kind === kind &&
          of.environment === environment &&
          ['paused', 'subscription'].includes(state),
      )?.value;
    expect([kind, figureOf('checkout.incident.open')]).toEqual([kind, ofKind.length]);
    const oldest = Math.max(...ofKind.map(({ age_seconds: age }) => age));
    expect(figureOf('checkout.incident.oldest.age')).toBeGreaterThanOrEqual(oldest);
    expect(figureOf('checkout.incident.oldest.age')).toBeLessThan(oldest + 60);
  }
});

test('a rejected account leaves the list when another account is in use or its merchant is inactive', async () => {
  const listed = () => listIncidents(database.pool, { kinds: ['rail_account_disabled'] });
  const stop = (status: string) =>
    database.pool.query(sql.unsafe`update merchants set status = ${status} where id = ${shop.merchantId}`);
  expect(await listed()).toHaveLength(1);
  await stop('inactive');
  expect(await listed()).toEqual([]);
  await stop('active');
  await insertRailAccount(database.pool, shop);
  expect(await listed()).toEqual([]);
});

test('a merchant with normal traffic but no sales is listed until a buyer pays or traffic drops', async () => {
  const listed = () => listIncidents(database.pool, { kinds: ['merchant_sells_nothing'] });
  expect(await listed()).toMatchObject([
    {
      id: shop.merchantId,
      reason: expect.stringMatching(/^\d+ sessions .* about \d\d would usually be paid$/),
    },
  ]);
  const change = (what: ReturnType<typeof sql.fragment>) =>
    run(sql.unsafe`update checkouts set ${what} where created_at < service_clock() - interval '35 minutes'`);
  await change(sql.fragment`finished_at = finished_at + interval '25 minutes'`);
  expect(await listed()).toEqual([]);
  await change(sql.fragment`finished_at = finished_at - interval '25 minutes'`);
  expect(await listed()).toHaveLength(1);
  await run(
    sql.unsafe`delete from checkouts where id in (
      select id from checkouts where state = 'created' and created_at between service_clock() - interval '45 minutes'
        and service_clock() - interval '35 minutes' limit 10)`,
  );
  expect(await listed()).toEqual([]);
});

test('a person closes a failed refund once, with an audit row', async () => {
  const { pool } = database;
  const by = { actor: 'person:ada', reason: 'refunded by bank transfer' };
  const [failed] = await listIncidents(pool, { kinds: ['refund_failed'] });
  expect(failed?.reason).toMatch(/; \d+\.\d\d EUR left to refund$/);
  expect(await closeIncident(pool, 'refund_failed', refundId, by)).toBe(true);
  expect(await closeIncident(pool, 'refund_failed', refundId, by)).toBe(false);
  expect(await listIncidents(pool, { kinds: ['refund_failed'] })).toEqual([]);
  expect(
    await pool.any(sql.unsafe`select actor, subject_id from audit_log where action = 'incident.close'`),
  ).toEqual([{ actor: 'person:ada', subject_id: refundId }]);
});

test('an endpoint leaves the list once its last undelivered event is gone, or when a person closes the incident', async () => {
  const { pool } = database;
  const kinds = ['webhook_deliveries_exhausted'] as const;
  const [listed] = await listIncidents(pool, { kinds });
  if (!listed) throw new Error('not listed');
  const become = (status: string) =>
    run(sql.unsafe`update deliveries set status = ${status} where endpoint_id = ${listed.id}`);
  await become('succeeded');
  expect(await listIncidents(pool, { kinds })).toEqual([]);
  await become('exhausted');
  expect(await listIncidents(pool, { kinds })).toMatchObject([{ next: null }]);
  const recovered = async (until: string | null) =>
    run(sql.unsafe`
      update webhook_endpoints set recover_since = ${until}, recover_until = ${until} where id = ${listed.id}`);
  await recovered('2026-01-31T00:12:00Z');
  expect(await listIncidents(pool, { kinds })).toMatchObject([
    { next: 'npm run ops -- why {id}', reason: expect.stringMatching(/; a recovery runs$/) },
  ]);
  await recovered(null);
  const by = { actor: 'person:ada', reason: 'the merchant does not need them' };
  expect(await closeIncident(pool, 'webhook_deliveries_exhausted', listed.id, by)).toBe(true);
  expect(await listIncidents(pool, { kinds })).toEqual([]);
});

test('a disabled endpoint stays listed until its missed events are sent or given up', async () => {
  const { pool } = database;
  const by = { actor: 'person:ada', reason: 'repaired' };
  const { merchantId } = shop;
  const { id } = await createEndpoint(pool, shop, { status: 'disabled' });
  const endpoint = { endpointId: id, merchantId, environment: 'sandbox' } as const;
  await alerted('webhook_endpoint_disabled', id);
  await alerted('other', id);
  const listed = async () =>
    (await showIncidents(pool, { kinds: ['endpoint_disabled'], about: [id] }, { runbookUrl: '' })).map(
      ({ next, since }) => ({ next, since }),
    );
  expect(await listed()).toMatchObject([{ next: `npm run ops -- endpoint test ${id}` }]);
  await enableEndpoint(pool, endpoint, by);
  const since = (await oldestHeld(pool, id)) ?? '';
  const recover = [{ since, next: `npm run ops -- endpoint recover ${id} --since ${since} --reason <why>` }];
  expect(await listed()).toEqual(recover);
  const subjects = await searchSubjects(pool, id, null, 1);
  const [explained] = await Promise.all(subjects.map((each) => explain(pool, each, { runbookUrl: '' })));
  expect(explained).toMatchObject({ means: INCIDENT_KINDS.endpoint_disabled.means, incidents: recover });
  await pauseEndpoint(pool, endpoint, by);
  expect(await listed()).toMatchObject([{ next: `npm run ops -- endpoint test ${id}` }]);
  await enableEndpoint(pool, endpoint, by);

  const until = (await beginRecovery(pool, endpoint, since, by)) ?? '';
  expect(await listed()).toEqual([{ since, next: `npm run ops -- why ${id}` }]);
  await recoverBatch(pool, { endpointId: id, since, until, after: null, limit: 10 });
  expect(await listed()).toEqual([]);
  const after = { createdAt: until, eventId: '' };
  await recoverBatch(pool, { endpointId: id, since, until, after, limit: 10 });

  await run(sql.unsafe`update deliveries set status = 'held' where endpoint_id = ${id}`);
  expect(await listed()).toEqual(recover);
  expect(await closeIncident(pool, 'endpoint_disabled', id, by)).toBe(true);
  expect(await listed()).toEqual([]);
});

test('a merchant’s incidents are counted beyond the list’s limit', async () => {
  const { pool } = database;
  const merchantId = await insertMerchant(pool);
  await pool.query(sql.unsafe`
    insert into operator_requests (subject_id, merchant_id, amount, command, asked_by, asked_at)
    select 'ap_chk_' || n, ${merchantId}, 1, '{"command": "resolve"}', 'person:ada',
      service_clock() - n * interval '1 second'
    from generate_series(1, 10001) n`);
  const page = { merchants: [merchantId, shop.merchantId], q: null, after: null, limit: 10 };
  const [largest, other] = await listMerchantHealth(pool, page);
  expect(largest).toMatchObject({ id: merchantId, incidents: 10_001 });
  const incidents = await listIncidents(pool, { kinds: ['second_person_needed'], merchantId, limit: 1 });
  expect(largest?.oldest_incident_at).toBe(incidents[0]?.since);
  expect(other?.incidents).toBeGreaterThan(0);
});

/** These commands take only a subject. */
const NO_REASON = /^npm run ops -- (why|ask|confirm|endpoint test|rail check|restored|sweep|health)( |$)/;

test.each(KINDS_OF_INCIDENT)(
  'the suggested command for %s includes --reason where the command requires one',
  (kind) => {
    const { next } = INCIDENT_KINDS[kind];
    if (!NO_REASON.test(next)) expect(next).toContain('--reason');
  },
);
