/** GET /v1/merchants/:merchantId/disputes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dispute } from '../../../contract/dispute/dispute.ts';
import { recordDisputes } from '../../../db/dispute/record-disputes.ts';
import { type AdminApi, describeGate, startAdminApi } from '../../support/api/admin-api.ts';
import { expectMarks, expectRefusal } from '../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { insertPurchase, type Shop } from '../../support/db/fixtures.ts';

let api: AdminApi;
beforeAll(async () => {
  api = await startAdminApi();
  for (const shop of [api.shop, api.other]) for (const id of ['dp_1', 'dp_2']) await insertDispute(shop, id);
});
afterAll(() => api?.server.stop());

async function insertDispute(shop: Shop, id: string): Promise<void> {
  const { paymentId } = await insertPurchase(api.server.pool, shop, shop.products.oneTime);
  const { merchantId, environment, railAccountId } = shop;
  const payment = { paymentId, merchantId, environment, railAccountId, railEventIds: [] };
  await recordDisputes(api.server.pool, payment, [
    {
      railDisputeId: id,
      status: 'open',
      amountCents: 1_900,
      currency: 'EUR',
      reason: 'fraudulent',
      openedAt: '2026-01-31T09:30:00.000Z',
      evidenceDueBy: '2026-02-07T09:30:00.000Z',
    },
  ]);
}

describe('GET /disputes', () => {
  describeGate(() => api, 'GET', '/disputes');

  test('200: only the merchant’s own disputes, newest first, matching the contract', async () => {
    const answer = await api.admin('GET', '/disputes');
    expect(answer.status).toBe(200);
    expectMarks(answer);
    expect(answer.body.data).toHaveLength(2);
    for (const each of answer.body.data) expect(dispute.strict().parse(each)).toEqual(each);
    const ids = answer.body.data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(answer.body.data[0]).toMatchObject({ amount: 1_900, evidence_due_by: '2026-02-07T09:30:00.000Z' });
  });

  test('200: `environment` filters the list; a key sees only its own environment', async () => {
    expect((await api.admin('GET', '/disputes?environment=production')).body.data).toEqual([]);
    expect((await api.withKey(api.shop.apiKey, 'GET', '/disputes')).body.data).toHaveLength(2);
  });

  test('400 for an unknown environment, 405 for a write method', async () => {
    expectRefusal(await api.admin('GET', '/disputes?environment=test'), 400, 'invalid_request');
    expectRefusal(await api.admin('POST', '/disputes', {}), 405, 'method_not_allowed');
  });
});

seesEveryAnswerOf('listMerchantDisputes');
