/** Refunds and disputes by their own dates, paginated and as CSV, under /v1/merchants/:merchantId. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from '../../db/core/pool.ts';
import { type AdminApi, startAdminApi } from '../support/api/admin-api.ts';
import { expectRefusal } from '../support/api/api.ts';
import { seesEveryAnswerOf } from '../support/api/seen-answers.ts';
import { insertPurchase, type Shop } from '../support/db/fixtures.ts';

let api: AdminApi;

/** The rows of each list, newest first; only one has the status `rare`. */
const LISTS = [
  {
    name: 'refunds',
    rows: ['ap_ref_3', 'ap_ref_2', 'ap_ref_9'],
    rare: ['failed', 'ap_ref_2'],
    header: 'id,created_at,created_on,updated_at,status,amount,currency,reason,failure_code,payment_id,',
    line: /^ap_ref_3,2026-03-03T08:00:00\.000Z,2026-03-02,.*,succeeded,3\.00,EUR,'=broken,,ap_pay_\w+,ap_ord_\w+,sandbox,\w+,re_ap_ref_3,ch_1,open,$/,
  },
  {
    name: 'disputes',
    rows: ['ap_dis_3', 'ap_dis_2', 'ap_dis_9'],
    rare: ['open', 'ap_dis_2'],
    header: 'id,opened_at,opened_on,updated_at,status,amount,currency,reason,evidence_due_by,payment_id,',
    line: /^ap_dis_3,2026-03-03T08:00:00\.000Z,2026-03-02,.*,won,3\.00,EUR,fraudulent,,ap_pay_\w+,,sandbox,\w+,dp_ap_dis_3,ch_1$/,
  },
] as const;

beforeAll(async () => {
  api = await startAdminApi();
  await api.server.pool.query(sql.unsafe`
    update merchants set time_zone = 'America/Anchorage' where id = ${api.shop.merchantId}`);
  for (const [shop, numbers] of [
    [api.shop, [9, 2, 3]],
    [api.other, [7]],
  ] as const) {
    const purchase = await insertPurchase(api.server.pool, shop, shop.products.oneTime);
    for (const number of numbers) await insertBoth(shop, purchase, number);
  }
});
afterAll(() => api?.server.stop());

/** A refund's id contains its payment's time, not its own. */
async function insertBoth(
  shop: Shop,
  purchase: { readonly paymentId: string; readonly orderId: string },
  number: number,
): Promise<void> {
  const day = number === 9 ? 1 : number;
  const at = `2026-03-0${day}T08:00:00Z`;
  const rare = number === 2;
  await api.server.pool.query(sql.unsafe`
    insert into refunds (id, merchant_id, environment, payment_id, order_id, rail_account_id, operation_id, amount,
      currency, reason, status, rail_refund_id, created_at, next_action_at)
    values (${`ap_ref_${number}`}, ${shop.merchantId}, 'sandbox', ${purchase.paymentId}, ${purchase.orderId},
      ${shop.railAccountId}, ${`op-${number}`}, ${number * 100}, 'EUR', '=broken',
      ${rare ? 'failed' : 'succeeded'}, ${`re_ap_ref_${number}`}, ${at}::timestamptz, null)`);
  await api.server.pool.query(sql.unsafe`
    insert into disputes (id, merchant_id, environment, payment_id, rail_account_id, rail_dispute_id, status, amount,
      currency, reason, opened_at)
    values (${`ap_dis_${number}`}, ${shop.merchantId}, 'sandbox', ${purchase.paymentId}, ${shop.railAccountId},
      ${`dp_ap_dis_${number}`}, ${rare ? 'open' : 'won'}, ${number * 100}, 'EUR', 'fraudulent', ${at}::timestamptz)`);
}

test.each(LISTS)('GET /search/$name: newest first by its own date, paginated and filtered', async (list) => {
  const { name, rows, rare } = list;
  const found = async (query: string) => {
    const answer = await api.admin('GET', `/search/${name}?environment=sandbox${query}`);
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const ids = ({ data }: { data: readonly { id: string }[] }) => data.map(({ id }) => id);
  expect(ids(await found(''))).toEqual(rows);
  const first = await found('&limit=2');
  expect(ids(first)).toEqual(rows.slice(0, 2));
  const second = await found(`&limit=2&cursor=${first.next_cursor}`);
  expect([ids(second), second.next_cursor]).toEqual([rows.slice(2), null]);
  expect(ids(await found(`&status=${rare[0]}`))).toEqual([rare[1]]);
  expect(ids(await found('&from=2026-03-02T08:00:00Z&to=2026-03-03T08:00:00Z'))).toEqual([rows[1]]);
  for (const plus of ['%2B', '+']) {
    const offsets = `&from=2026-03-02T10:00:00${plus}02:00&to=2026-03-02T14:00:00-18:00`;
    expect(ids(await found(offsets))).toEqual([rows[1]]);
  }
  expect((await api.admin('GET', `/search/${name}?environment=production`)).body.data).toEqual([]);
});

test.each(LISTS)('GET /exports/$name: CSV with its date and the processor’s ids', async (list) => {
  const { name, rows, rare, header, line } = list;
  const answer = await api.admin('GET', `/exports/${name}?environment=sandbox`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  const fileOf = async (period: string) => {
    const { headers } = await api.admin('GET', `/exports/${name}?environment=sandbox${period}`);
    return decodeURIComponent(headers.get('content-disposition') ?? '');
  };
  // Anchorage is nine hours behind UTC.
  expect(await fileOf('&from=2026-01-01T09:00:00Z&to=2026-02-01T09:00:00Z')).toMatch(
    new RegExp(`^attachment; filename=.*-${name}-2026-01\\.csv`),
  );
  expect(await fileOf('')).toMatch(new RegExp(`-${name}-\\d{4}-\\d\\d-\\d\\d\\.csv`));
  const [head, ...lines] = String(answer.body).trimEnd().split('\r\n');
  expect(head?.slice(0, header.length)).toBe(header);
  expect(lines.map((each) => each.split(',')[0])).toEqual(rows);
  expect(lines[0]).toMatch(line);
  const one = await api.admin('GET', `/exports/${name}?environment=sandbox&status=${rare[0]}`);
  expect(String(one.body).trimEnd().split('\r\n')).toHaveLength(2);
});

test.each(LISTS)('400: $name without an environment, or with another list’s cursor', async ({ name }) => {
  for (const path of [`search/${name}`, `exports/${name}`, `search/${name}?environment=sandbox&cursor=e30`])
    expectRefusal(await api.admin('GET', `/${path}`), 400, 'invalid_request');
});

seesEveryAnswerOf('searchRefunds', 'searchDisputes', 'exportRefunds', 'exportDisputes');

test.each(LISTS)(
  'GET /exports/$name: the audit log records the person, the list and the number of rows',
  async (list) => {
    const { name, rows } = list;
    const answer = await api.admin('GET', `/exports/${name}?environment=sandbox&from=2026-03-01T00:00:00Z`);
    expect(answer.status).toBe(200);
    const [entry] = await api.server.pool.any(sql.unsafe`
    select merchant_id, environment, actor, action, subject_id, request_id, after from audit_log
    where action = 'list.exported' order by id desc limit 1`);
    expect(entry).toEqual({
      merchant_id: api.shop.merchantId,
      environment: 'sandbox',
      actor: expect.stringMatching(/^(person|api_key):./),
      action: 'list.exported',
      subject_id: name,
      request_id: answer.headers.get('x-request-id'),
      after: {
        rows: rows.length,
        status: null,
        from: expect.stringContaining('2026-03-01'),
        to: null,
        is_search: false,
      },
    });
  },
);
