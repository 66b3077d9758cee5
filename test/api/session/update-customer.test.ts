/** PATCH /v1/merchants/:merchantId/customers/:customerId: name, address and tax id as one set. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { issueInvoice } from '../../../db/invoice/invoices.ts';
import { eraseCustomer } from '../../../db/operations/erase-customer.ts';
import { type AdminApi, describeGate, startAdminApi } from '../../support/api/admin-api.ts';
import { expectRefusal } from '../../support/api/api.ts';

import { asPerson } from '../../support/api/people.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { insertPurchase } from '../../support/db/fixtures.ts';

const COMPANY = {
  name: 'Ada GmbH',
  billing_details: {
    line1: 'Hafenstraße 1',
    line2: null,
    city: 'Hamburg',
    region: null,
    postal_code: '20457',
    country: 'DE',
  },
  tax: { value: 'DE123456789', type: 'eu_vat' },
};
const STORED = {
  name: COMPANY.name,
  billing_details: COMPANY.billing_details,
  tax_value: 'DE123456789',
  tax_type: 'eu_vat',
};
const NOTHING = { name: null, billing_details: null, tax_value: null, tax_type: null };

let api: AdminApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api?.server.stop());

describeGate(() => api, 'PATCH', '/customers/ap_cus_0');

async function customer(): Promise<string> {
  const { customerId } = await insertPurchase(api.server.pool, api.shop, api.shop.products.oneTime);
  await api.server.pool.query(sql.unsafe`
    update customers set name = null, billing_details = null, tax_value = null, tax_type = null where id = ${customerId}`);
  return customerId;
}
const change = (id: string, body: object) => api.admin('PATCH', `/customers/${id}`, body);

async function nextInvoice(customerId: string) {
  const { server, shop } = api;
  const { id } = await inTransaction(server.pool, (tx) =>
    issueInvoice(tx, {
      scope: shop,
      customerId,
      orderId: null,
      subscriptionId: null,
      period: null,
      status: 'created',
      amount: 1_900,
      amountDue: 0,
      currency: 'EUR',
      lineItems: [],
      supplier: {},
    }),
  );
  const { body } = await api.admin('GET', `/search/invoices?environment=sandbox&q=${id}`);
  return body.data[0].customer;
}

test('200: the next invoice names the new party, and issued invoices keep their party', async () => {
  const id = await customer();
  const before = await nextInvoice(id);
  const { body, status } = await change(id, COMPANY);
  expect([status, body]).toEqual([200, expect.objectContaining({ id, ...STORED, paid_amount: 1_900 })]);
  expect(await nextInvoice(id)).toMatchObject(STORED);
  const { data } = (await api.admin('GET', `/search/invoices?environment=sandbox&q=${id}`)).body;
  expect(data.at(-2).customer).toEqual(before);
});

test('200: any of name, address and tax id replaces all three, null clears them, and {} changes nothing', async () => {
  const id = await customer();
  await change(id, COMPANY);
  expect((await change(id, {})).body).toMatchObject(STORED);
  expect((await change(id, { tax: null })).body).toMatchObject({
    ...STORED,
    tax_value: null,
    tax_type: null,
  });
  expect((await change(id, { name: 'Grace' })).body).toMatchObject({ ...NOTHING, name: 'Grace' });
  expect((await change(id, { name: null })).body).toMatchObject(NOTHING);
});

test('200: each change is audited with the old and new values, until an erasure', async () => {
  const id = await customer();
  await change(id, COMPANY);
  await change(id, COMPANY);
  await change(id, { ...COMPANY, name: 'Ada AG' });
  expect(await api.audited(id)).toMatchObject([
    { action: 'customer.update', environment: 'sandbox', before: NOTHING, after: STORED },
    { before: { name: 'Ada GmbH' }, after: { name: 'Ada AG' } },
  ]);
  await api.server.pool.query(sql.unsafe`
    update checkouts set state = 'succeeded', finished_at = service_clock() where customer_id = ${id}`);
  await eraseCustomer(api.server.pool, id, { actor: 'operator:ada', reason: 'request 17' });
  expect((await api.audited(id)).slice(0, 2)).toMatchObject([
    { before: null, after: null },
    { before: null, after: null },
  ]);
  expectRefusal(await change(id, COMPANY), 404, 'customer_not_found');
});

test('400: a field named as in the checkout or of a wrong type; 404: an unknown, malformed or another merchant’s id', async () => {
  const id = await customer();
  expectRefusal(await change(id, { billingDetails: null, name: 'Ada' }), 400, 'unknown_field');
  expectRefusal(await change(id, { name: 7 }), 400, 'invalid_request');
  const { pool } = api.server;
  const theirs = await insertPurchase(pool, api.other, api.other.products.oneTime);
  for (const other of ['ap_cus_0', 'ap_ord_0', theirs.customerId])
    expectRefusal(await change(other, COMPANY), 404, 'customer_not_found');
});

test('403: developers and analysts cannot change a customer; support can', async () => {
  const id = await customer();
  const as = (role: 'developer' | 'analyst' | 'support') =>
    api.server.request('PATCH', `/v1/merchants/${api.shop.merchantId}/customers/${id}`, {
      headers: asPerson(api.shop.merchantId, role),
      body: COMPANY,
    });
  expectRefusal(await as('developer'), 403, 'administration_forbidden');
  expectRefusal(await as('analyst'), 403, 'administration_forbidden');
  expect((await as('support')).status).toBe(200);
});

seesEveryAnswerOf('updateCustomer');
