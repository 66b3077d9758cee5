/** POST /v1/checkouts: its effects, and every rejection in the order of the contract's table. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { checkoutSession } from '../../../contract/session/checkout.ts';
import { sessionTerms } from '../../../contract/session/terms.ts';
import { sql } from '../../../db/core/pool.ts';
import { listRailAccounts } from '../../../db/merchant/rail-accounts.ts';
import { findBreakerTarget, pauseRail } from '../../../db/payment/rail-breaker.ts';
import { findSession } from '../../../db/session/read/find-session.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import { expectMarks, expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { eventually } from '../../support/core/eventually.ts';
import { APPROVED, answer, clickAccepted, DECLINED } from '../../support/db/attempts.ts';
import { failing, NOT_THERE } from '../../support/db/broken-pool.ts';
import { insertCoupon } from '../../support/db/coupons.ts';
import {
  insertApiKey,
  insertMerchant,
  insertProduct,
  insertRailAccount,
  insertShop,
  RECURRING,
  type Shop,
} from '../../support/db/fixtures.ts';
import { insertSubscription } from '../../support/db/subscriptions.ts';

let api: TestApi;
let shop: Shop;

beforeAll(async () => {
  api = await startTestApi();
  shop = await insertShop(api.pool);
});
afterAll(() => api?.stop());

const body = (changes: Record<string, unknown> = {}) => ({
  productId: shop.products.oneTime,
  externalCustomerId: 'u-1',
  ...changes,
});
const create = (changes: Record<string, unknown> = {}, apiKey = shop.apiKey) =>
  api.request('POST', '/v1/checkouts', { apiKey, body: body(changes) });

const storedSession = (id: string) =>
  api.pool.one(sql.type(z.record(z.string(), z.unknown()))`
    select c.*, extract(epoch from c.expires_at - c.created_at)::float8 as lifetime_seconds
    from checkouts c where id = ${id}`);
const storedCustomer = (externalCustomerId: string) =>
  api.pool.one(sql.type(z.record(z.string(), z.unknown()))`
    select * from customers where merchant_id = ${shop.merchantId} and environment = 'sandbox'
      and external_customer_id = ${externalCustomerId}`);
const rowCounts = () =>
  api.pool.one(sql.type(z.object({ checkouts: z.number(), customers: z.number() }))`
    select (select count(*) from checkouts) as checkouts, (select count(*) from customers) as customers`);

/** A product of which two to five can be bought at once. */
async function seats(amount = 1_900, quantity = { min: 2, max: 5 }): Promise<string> {
  const { merchantId } = shop;
  return (await insertProduct(api.pool, { merchantId, quantity, price: { amount } })).productId;
}

const coupon = async (fields: object = {}, scope: Scope = shop) =>
  (await insertCoupon(api.pool, scope, fields)).code;

async function refuses(sent: () => ReturnType<typeof create>, status: number, code: string): Promise<void> {
  const before = await rowCounts();
  expectRefusal(await sent(), status, code);
  expect(await rowCounts()).toEqual(before);
}

describe('201', () => {
  test('returns the session and nothing else', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body)).toEqual(['id', 'sessionId', 'hostedUrl', 'expiresAt', 'request_id']);
    const { id, sessionId, hostedUrl } = checkoutSession.parse(answer.body);
    expect(id).toMatch(/^ap_chk_[0-9a-f]{32}$/);
    expect(sessionId).toMatch(/^ap_chk_[0-9a-f]{64}$/);
    expect(hostedUrl).toBe(`https://pay.example/pay/${sessionId}`);
    expectMarks(answer);
  });

  test('names the workflow in x-service-flow-id, and the workflow waits in its start delay until expiry', async () => {
    const answer = await create();
    expect(answer.headers.get('x-service-flow-id')).toBe(answer.body.id);
    // The workflow starts after the response is sent.
    const description = await eventually(() => api.temporal.workflow.getHandle(answer.body.id).describe());
    expect(description).toMatchObject({
      type: 'checkout',
      taskQueue: 'sandbox-checkout',
      status: { name: 'RUNNING' },
    });
    const { executionTime } = description;
    const lateMs = (executionTime?.getTime() ?? 0) - Date.parse(answer.body.expiresAt);
    expect(lateMs).toBeGreaterThan(-2_000);
    // On a busy machine, the workflow may start some seconds after the row is written.
    expect(lateMs).toBeLessThan(60_000);
  });

  test('records, after responding, that each workflow has started', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
    await eventually(async () => {
      const stored = await Promise.all(answers.map(({ body }) => storedSession(body.id)));
      expect(stored.filter(({ workflow_started_at: at }) => at === null)).toEqual([]);
    });
  });

  test('expires 30 minutes after creation', async () => {
    const answer = await create();
    expect(await storedSession(answer.body.id)).toMatchObject({
      expires_at: answer.body.expiresAt,
      next_action_at: answer.body.expiresAt,
      lifetime_seconds: 1_800,
      state: 'created',
    });
  });

  test('freezes product, price and merchant in the terms', async () => {
    const answer = await create({ productId: shop.products.recurring });
    const { terms } = await storedSession(answer.body.id);
    expect(sessionTerms.parse(terms)).toMatchObject({
      product: { id: shop.products.recurring, name: 'Kaffee-Abo', offering_id: null },
      price: {
        amount: 900,
        tax_rate: 19,
        recurring: { interval: 'month', interval_count: 1, trial_period_days: null },
      },
      merchant: { name: 'Kaffeerösterei Nord', legal_identity: { vat_id: 'DE123456789' } },
    });
  });

  test.each([
    ['the price if amount is absent', {}, 1_900],
    ['the given amount', { amount: 1 }, 1],
    ['the price itself as amount', { amount: 1_900 }, 1_900],
    ['the price if amount is null', { amount: null }, 1_900],
    ['the price if quantity is one', { quantity: 1 }, 1_900],
  ])('charges %s', async (_name, changes, amount) => {
    const answer = await create(changes);
    expect(await storedSession(answer.body.id)).toMatchObject({ amount, currency: 'EUR' });
  });

  test.each([
    ['price times quantity', { quantity: 3 }, { amount: 5_700, quantity: 3 }],
    ['the given amount if both are given', { quantity: 3, amount: 5_700 }, { amount: 5_700, quantity: 3 }],
    ['the price times the minimum if none is given', {}, { amount: 3_800, quantity: 2 }],
  ])('for a product sold in quantities, charges %s', async (_name, changes, stored) => {
    const answer = await create({ productId: await seats(), ...changes });
    expect(await storedSession(answer.body.id)).toMatchObject(stored);
  });

  test.each([
    ['by default, within its bounds', {}, { min: 2, max: 5 }],
    ['not if the request sets the quantity', { quantity: 2 }, null],
    ['not if the request sets the amount', { amount: 100 }, null],
  ])('lets the buyer choose the quantity: %s', async (_name, changes, quantity) => {
    const answer = await create({ productId: await seats(), ...changes });
    const { terms } = await storedSession(answer.body.id);
    expect(sessionTerms.parse(terms).product.quantity).toEqual(quantity);
  });

  test('charges nothing now when the price has a trial', async () => {
    const answer = await create({ productId: shop.products.trial });
    expect(await storedSession(answer.body.id)).toMatchObject({ amount: 0 });
  });

  test('stores every optional field', async () => {
    const answer = await create({
      externalCustomerId: 'u-full',
      customer: {
        email: 'ada@example.eu',
        name: 'Ada Lovelace',
        billingDetails: { line1: 'Am Kai 7', city: 'Hamburg', country: 'DE' },
        tax: { value: 'DE999', type: 'eu_vat' },
      },
      paymentMethod: 'apple_pay',
      locale: 'pt-PT',
      successUrl: 'https://shop.example/thanks?x=1',
      failUrl: 'http://localhost:3000/cart',
      reconciliation: { merchantReference: 'cart-7' },
    });
    expect(answer.status).toBe(201);
    expect(await storedSession(answer.body.id)).toMatchObject({
      preselected_method: 'apple_pay',
      locale: 'pt-PT',
      success_url: 'https://shop.example/thanks?x=1',
      fail_url: 'http://localhost:3000/cart',
      merchant_reference: 'cart-7',
    });
    expect(await storedSession(answer.body.id)).toMatchObject({
      buyer: {
        email: 'ada@example.eu',
        name: 'Ada Lovelace',
        billing_details: {
          line1: 'Am Kai 7',
          line2: null,
          city: 'Hamburg',
          region: null,
          postal_code: null,
          country: 'DE',
        },
        tax_value: 'DE999',
        tax_type: 'eu_vat',
      },
    });
  });

  test('makes the page ask for an email if the request has none, even if an earlier purchase confirmed one', async () => {
    const externalCustomerId = 'u-returning';
    await create({ externalCustomerId });
    await api.pool.query(sql.unsafe`
      update customers set email = 'ada@earlier.example', email_confirmed_at = service_clock()
      where merchant_id = ${shop.merchantId} and external_customer_id = ${externalCustomerId}`);

    const asking = (await create({ externalCustomerId })).body;
    const session = await findSession(api.pool, asking.sessionId);
    expect(session).toMatchObject({ email: null, email_confirmed: false });
    const page = await api.request('GET', `/pay/${asking.sessionId}`);
    expect(JSON.stringify(page)).not.toContain('earlier.example');

    const given = (await create({ externalCustomerId, customer: { email: 'new@example.eu' } })).body;
    const prefilled = await findSession(api.pool, given.sessionId);
    expect(prefilled).toMatchObject({ email: 'ada@earlier.example', email_confirmed: true });
  });

  test('every optional field may be null', async () => {
    const optional = [
      'customer',
      'amount',
      'paymentMethod',
      'locale',
      'successUrl',
      'failUrl',
      'reconciliation',
      'quantity',
      'couponCode',
    ];
    const answer = await create(Object.fromEntries(optional.map((name) => [name, null])));
    expect(answer.status).toBe(201);
  });

  test('ignores unknown fields and does not store them', async () => {
    const answer = await create({
      canary: 'canary-of-unknown-field',
      customer: { canary: 'canary-of-unknown-field' },
    });
    expect(answer.status).toBe(201);
    const stored = [await storedSession(answer.body.id), await storedCustomer('u-1')];
    expect(JSON.stringify(stored)).not.toContain('canary');
  });

  test('strips spaces and invisible characters around an email', async () => {
    const email = ' \u2068\u200eada@example.eu\u2069\ufeff\n';
    const answer = await create({ externalCustomerId: 'u-pasted', customer: { email } });
    expect(await storedSession(answer.body.id)).toMatchObject({ buyer: { email: 'ada@example.eu' } });
  });

  test('ten concurrent sessions of one new customer create one customer', async () => {
    const before = await rowCounts();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create({ externalCustomerId: 'u-ten' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(await rowCounts()).toEqual({ checkouts: before.checkouts + 10, customers: before.customers + 1 });
  });

  test('accepts strings of exactly the maximum length, counted in code points', async () => {
    const answer = await create({
      externalCustomerId: '😀'.repeat(160),
      customer: { email: `${'a'.repeat(309)}@example.eu`, name: 'ü'.repeat(160) },
      successUrl: `https://shop.example/${'a'.repeat(479)}`,
      reconciliation: { merchantReference: 'm'.repeat(120) },
    });
    expect(answer.status).toBe(201);
  });

  test('accepts a body of exactly 102,400 bytes', async () => {
    const empty = JSON.stringify(body({ padding: '' }));
    const raw = JSON.stringify(body({ padding: 'x'.repeat(102_400 - empty.length) }));
    const answer = await api.request('POST', '/v1/checkouts', { apiKey: shop.apiKey, raw });
    expect(answer.status).toBe(201);
  });

  test('a live key creates a production session if production has a rail account', async () => {
    const live = await insertShop(api.pool, {}, 'production');
    const answer = await create({ productId: live.products.oneTime }, live.apiKey);
    expect(await storedSession(answer.body.id)).toMatchObject({ environment: 'production' });
  });
});

describe('the buyer’s data in a request', () => {
  const COMPANY = {
    email: 'einkauf@nord.example',
    name: 'Nord GmbH',
    billingDetails: { line1: 'Hafenweg 1', city: 'Hamburg', country: 'DE' },
    tax: { value: 'DE999', type: 'eu_vat' },
  };
  const PERSON = { name: 'Resi Huber', billingDetails: { city: 'Wien', country: 'AT' } };
  const open = async (externalCustomerId: string, customer?: object) =>
    (await create({ externalCustomerId, customer })).body.id as string;
  const pay = async (id: string) => {
    await answer(api.pool, id, await clickAccepted(api.pool, id, { email: null }), APPROVED);
    return api.pool.oneFirst(sql.type(z.object({ customer: z.unknown() }))`
      select i.customer - 'id' - 'external_customer_id' as customer
      from invoices i join orders o on o.id = i.order_id where o.checkout_id = ${id}`);
  };
  const party = (email: string | null, name: string | null, city: string | null, tax: string | null) => ({
    email,
    name,
    billing_details: city === null ? null : expect.objectContaining({ city }),
    tax_value: tax,
    tax_type: tax && 'eu_vat',
  });
  const ofCompany = party('einkauf@nord.example', 'Nord GmbH', 'Hamburg', 'DE999');

  test('determines the party on its own invoice, whatever later sessions of the customer contain', async () => {
    const a = await open('u-parties', COMPANY);
    const b = await open('u-parties', PERSON);
    expect(await pay(a)).toEqual(ofCompany);
    expect(await storedCustomer('u-parties')).toMatchObject(ofCompany);
    expect(await pay(b)).toEqual(party('einkauf@nord.example', 'Resi Huber', 'Wien', null));
  });

  test('does not change the customer until the session is paid', async () => {
    await pay(await open('u-kept', COMPANY));
    await open('u-kept', { ...PERSON, email: 'resi@example.eu' });
    expect(await storedCustomer('u-kept')).toMatchObject(ofCompany);
    expect(await pay(await open('u-kept'))).toEqual(ofCompany);
  });

  test.each([
    [
      'an email alone leaves the party unchanged',
      { email: 'neu@nord.example' },
      { ...ofCompany, email: 'neu@nord.example' },
    ],
    ['null alone removes a tax id', { tax: null }, { ...ofCompany, tax_value: null, tax_type: null }],
    [
      'a name alone replaces the party, without an address',
      { name: 'Ost' },
      party('einkauf@nord.example', 'Ost', null, null),
    ],
    [
      'null removes name and address',
      { name: null, billingDetails: null },
      { ...party('einkauf@nord.example', null, null, 'DE999') },
    ],
    [
      'a new tax id without a type does not keep the former type',
      { ...COMPANY, tax: { value: '12/3' } },
      { ...ofCompany, tax_value: '12/3', tax_type: null },
    ],
  ])('%s', async (name, customer, expected) => {
    await pay(await open(name, COMPANY));
    expect(await pay(await open(name, customer))).toEqual(expected);
  });

  test('an invoice has the email that its own buyer typed', async () => {
    const [a, b] = [await open('u-typed'), await open('u-typed')];
    const paying = await clickAccepted(api.pool, a, { email: 'a@example.eu' });
    await answer(api.pool, b, await clickAccepted(api.pool, b, { email: 'b@example.eu' }), DECLINED);
    await answer(api.pool, a, paying, APPROVED);
    const invoiced = await api.pool.oneFirst(sql.type(z.object({ email: z.string() }))`
      select i.customer ->> 'email' as email from invoices i join orders o on o.id = i.order_id where o.checkout_id = ${a}`);
    expect(invoiced).toBe('a@example.eu');
    expect(await storedCustomer('u-typed')).toMatchObject({ email: 'a@example.eu' });
  });

  test('never overwrites an email that the buyer confirmed', async () => {
    const first = await open('u-confirmed', { email: 'shop@example.eu' });
    await answer(
      api.pool,
      first,
      await clickAccepted(api.pool, first, { email: 'typed@example.eu' }),
      APPROVED,
    );
    await pay(await open('u-confirmed', { email: 'other@example.eu' }));
    expect(await storedCustomer('u-confirmed')).toMatchObject({ email: 'typed@example.eu' });
  });
});

describe('400, the required fields', () => {
  test.each([
    ['productId', undefined],
    ['productId', null],
    ['productId', ''],
    ['externalCustomerId', undefined],
    ['externalCustomerId', null],
    ['externalCustomerId', ''],
  ])('%s is %j: checkout_<field>_required', (field, value) =>
    refuses(() => create({ [field]: value }), 400, `checkout_${field}_required`),
  );

  test('no body at all: checkout_productId_required', () =>
    refuses(
      () => api.request('POST', '/v1/checkouts', { apiKey: shop.apiKey }),
      400,
      'checkout_productId_required',
    ));
});

describe('400, invalid values', () => {
  const long = (length: number) => 'x'.repeat(length);
  const cases: readonly (readonly [string, Record<string, unknown>])[] = [
    ['checkout_productId_invalid', { productId: 7 }],
    ['checkout_productId_invalid', { productId: long(201) }],
    ['checkout_productId_invalid', { productId: 'ap_prod_\u0000' }],
    ['checkout_externalCustomerId_invalid', { externalCustomerId: ['u-1'] }],
    ['checkout_externalCustomerId_invalid', { externalCustomerId: long(161) }],
    ['checkout_externalCustomerId_invalid', { externalCustomerId: '\u0000' }],
    ['checkout_customer_invalid', { customer: 'ada' }],
    ['checkout_customer_invalid', { customer: [] }],
    ['checkout_email_invalid', { customer: { email: 'ada' } }],
    ['checkout_email_invalid', { customer: { email: '' } }],
    ['checkout_email_invalid', { customer: { email: 'ada@localhost' } }],
    ['checkout_email_invalid', { customer: { email: 'a b@example.eu' } }],
    ['checkout_email_invalid', { customer: { email: 'a\u200bb@example.eu' } }],
    ['checkout_email_invalid', { customer: { email: `${long(310)}@example.eu` } }],
    ['checkout_name_invalid', { customer: { name: long(161) } }],
    ['checkout_name_invalid', { customer: { name: 1 } }],
    ['checkout_billingDetails_invalid', { customer: { billingDetails: 'Hamburg' } }],
    ['checkout_line1_invalid', { customer: { billingDetails: { line1: long(201) } } }],
    ['checkout_line2_invalid', { customer: { billingDetails: { line2: {} } } }],
    ['checkout_city_invalid', { customer: { billingDetails: { city: 1 } } }],
    ['checkout_region_invalid', { customer: { billingDetails: { region: true } } }],
    ['checkout_postal_code_invalid', { customer: { billingDetails: { postal_code: 20457 } } }],
    ['checkout_country_invalid', { customer: { billingDetails: { country: ['DE'] } } }],
    ['checkout_tax_invalid', { customer: { tax: 'DE1' } }],
    ['checkout_value_invalid', { customer: { tax: { value: 1 } } }],
    ['checkout_type_invalid', { customer: { tax: { type: long(201) } } }],
    ['checkout_amount_invalid', { amount: 0 }],
    ['checkout_amount_invalid', { amount: -1 }],
    ['checkout_amount_invalid', { amount: 19.5 }],
    ['checkout_amount_invalid', { amount: '1900' }],
    ['checkout_amount_invalid', { amount: 1e300 }],
    ['checkout_paymentMethod_invalid', { paymentMethod: 'paypal' }],
    ['checkout_paymentMethod_invalid', { paymentMethod: 1 }],
    ['checkout_locale_invalid', { locale: 'german' }],
    ['checkout_locale_invalid', { locale: 'de_AT' }],
    ['checkout_locale_invalid', { locale: 'de-AT"><script>' }],
    ['checkout_locale_invalid', { locale: '' }],
    ['checkout_successUrl_invalid', { successUrl: 'http://shop.example/thanks' }],
    ['checkout_successUrl_invalid', { successUrl: 'https://' }],
    ['checkout_successUrl_invalid', { successUrl: '/thanks' }],
    ['checkout_successUrl_invalid', { successUrl: 'javascript:alert(1)' }],
    ['checkout_successUrl_invalid', { successUrl: ' https://shop.example' }],
    ['checkout_successUrl_invalid', { successUrl: 'http://localhost.shop.example/' }],
    ['checkout_successUrl_invalid', { successUrl: `https://shop.example/${long(480)}` }],
    ['checkout_failUrl_invalid', { failUrl: 'ftp://shop.example' }],
    ['checkout_failUrl_invalid', { failUrl: 'http://192.168.0.1/' }],
    ['checkout_reconciliation_invalid', { reconciliation: 'cart-7' }],
    ['checkout_merchantReference_invalid', { reconciliation: { merchantReference: long(121) } }],
    ['checkout_merchantReference_invalid', { reconciliation: { merchantReference: '\ud800' } }],
    ['checkout_quantity_invalid', { quantity: 0 }],
    ['checkout_quantity_invalid', { quantity: 1.5 }],
    ['checkout_quantity_invalid', { quantity: '2' }],
    ['checkout_quantity_invalid', { quantity: 10_001 }],
    ['checkout_quantity_invalid', { quantity: 2 }],
    ['checkout_couponCode_invalid', { couponCode: 7 }],
    ['checkout_couponCode_invalid', { couponCode: '' }],
    ['checkout_couponCode_invalid', { couponCode: long(61) }],
    ['checkout_couponCode_not_allowed_with_amount', { couponCode: 'SPRING', amount: 100 }],
    ['price_id_not_allowed', { priceId: 'ap_price_1' }],
  ];
  const named = cases.map(
    ([code, changes]) => [code, JSON.stringify(changes).slice(0, 60), changes] as const,
  );
  test.each(named)('%s: %s', (code, _name, changes) => refuses(() => create(changes), 400, code));

  test("merchant_id_not_allowed: the key's own merchant in the body", () =>
    refuses(() => create({ merchantId: shop.merchantId }), 400, 'merchant_id_not_allowed'));

  test('checkout_amount_exceeds_price: one cent above', () =>
    refuses(() => create({ amount: 1_901 }), 400, 'checkout_amount_exceeds_price'));

  test.each([1, 6])('checkout_quantity_invalid: %i, if 2 to 5 are allowed', async (quantity) => {
    const productId = await seats();
    await refuses(() => create({ productId, quantity }), 400, 'checkout_quantity_invalid');
  });

  test('checkout_quantity_invalid: a price beyond 32 bits, before it overflows', async () => {
    const productId = await seats(99_999_999, { min: 1, max: 10_000 });
    await refuses(() => create({ productId, quantity: 10_000 }), 400, 'checkout_quantity_invalid');
    expect((await create({ productId, quantity: 21 })).status).toBe(201);
    await refuses(() => create({ productId, quantity: 22 }), 400, 'checkout_quantity_invalid');
    const { body: chosen } = await create({ productId });
    const { terms } = await storedSession(chosen.id);
    expect(sessionTerms.parse(terms).product.quantity).toEqual({ min: 1, max: 21 });
  });

  test('checkout_amount_exceeds_price: one cent above price times quantity', async () => {
    const productId = await seats();
    await refuses(
      () => create({ productId, quantity: 3, amount: 5_701 }),
      400,
      'checkout_amount_exceeds_price',
    );
  });

  test('checkout_amount_exceeds_price: beyond 32 bits', () =>
    refuses(() => create({ amount: 9_007_199_254_740_991 }), 400, 'checkout_amount_exceeds_price'));

  test('checkout_amount_not_allowed_with_trial, even if the amount is too high', () =>
    refuses(
      () => create({ productId: shop.products.trial, amount: 5_000 }),
      400,
      'checkout_amount_not_allowed_with_trial',
    ));

  test('checkout_idempotency_key_not_allowed: an Idempotency-Key header', () =>
    refuses(
      () =>
        api.request('POST', '/v1/checkouts', {
          apiKey: shop.apiKey,
          body: body(),
          headers: { 'Idempotency-Key': '1' },
        }),
      400,
      'checkout_idempotency_key_not_allowed',
    ));

  test.each(['{', '"', '{"productId": }', '\u00ff\u00fe', "{'a': 1}"])('invalid_json: %s', (raw) =>
    refuses(() => api.request('POST', '/v1/checkouts', { apiKey: shop.apiKey, raw }), 400, 'invalid_json'),
  );

  test('invalid_json: bytes that are not UTF-8', () =>
    refuses(
      () =>
        api.request('POST', '/v1/checkouts', {
          apiKey: shop.apiKey,
          raw: Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
        }),
      400,
      'invalid_json',
    ));

  test.each(['[]', 'null', '"text"', '1'])('invalid_request: %s is not an object', (raw) =>
    refuses(() => api.request('POST', '/v1/checkouts', { apiKey: shop.apiKey, raw }), 400, 'invalid_request'),
  );
});

describe('a coupon', () => {
  test('201: reduces the amount of the session, and its code is case-insensitive', async () => {
    const couponCode = ` ${(await coupon()).toLowerCase()} `;
    const { id } = (await create({ couponCode })).body;
    expect(await storedSession(id)).toMatchObject({ amount: 1_520, version: 2 });
    const { body: shown } = await api.request('GET', `/v1/checkouts/${id}`, { apiKey: shop.apiKey });
    expect(shown).toMatchObject({
      amount: 1_520,
      coupon: { code: couponCode.trim().toUpperCase().replace('CODE', 'Code'), discount: 380 },
    });
  });

  test('201: reduces price times quantity', async () => {
    const couponCode = await coupon({ amount: 1_000 });
    const { id } = (await create({ productId: await seats(), quantity: 3, couponCode })).body;
    expect(await storedSession(id)).toMatchObject({ amount: 4_700, quantity: 3 });
  });

  test('201: may reduce the first payment of a subscription to zero', async () => {
    const couponCode = await coupon({ percent: 100 });
    const { id } = (await create({ productId: shop.products.recurring, couponCode })).body;
    expect(await storedSession(id)).toMatchObject({ amount: 0 });
  });

  test('that the request names cannot be replaced by the buyer', async () => {
    const couponCode = await coupon();
    const takesCodes = async (more: Record<string, unknown>) =>
      api.pool.oneFirst(sql.type(z.object({ takes_codes: z.boolean() }))`
        select (terms -> 'takes_codes')::boolean as takes_codes from checkouts
        where id = ${(await create(more)).body.id}`);
    expect(await takesCodes({ couponCode })).toBe(false);
    expect(await takesCodes({})).toBe(true);
  });

  test("400 coupon_invalid: unknown, another merchant's, of production, or not for the product", async () => {
    const live = { ...shop, environment: 'production' } as const;
    const other = await insertShop(api.pool);
    const codes = [
      'NO-SUCH-CODE',
      await coupon({}, other),
      await coupon({}, live),
      await coupon({ product_ids: [shop.products.recurring] }),
    ];
    for (const couponCode of codes) await refuses(() => create({ couponCode }), 400, 'coupon_invalid');
  });

  test('409 coupon_not_redeemable: not yet valid, expired, or used up', async () => {
    const usedUp = await coupon({ max_redemptions: 1 });
    await clickAccepted(api.pool, (await create({ couponCode: usedUp })).body.id);
    const codes = [
      usedUp,
      await coupon({ valid_from: new Date(Date.now() + 3_600_000).toISOString() }),
      await coupon({ valid_until: new Date(Date.now() - 3_600_000).toISOString() }),
    ];
    for (const couponCode of codes) await refuses(() => create({ couponCode }), 409, 'coupon_not_redeemable');
  });

  test('409 coupon_amount_zero: a one-off purchase reduced to zero', async () => {
    const couponCode = await coupon({ amount: 1_900 });
    await refuses(() => create({ couponCode }), 409, 'coupon_amount_zero');
  });
});

describe('403', () => {
  test('merchant_scope_mismatch: another merchant in the body', () =>
    refuses(() => create({ merchantId: 'ap_mer_other' }), 403, 'merchant_scope_mismatch'));

  test('merchant_feature_not_enabled: a recurring product without the subscriptions capability', async () => {
    const plain = await insertShop(api.pool, { subscriptionsEnabled: false });
    await refuses(
      () => create({ productId: plain.products.recurring }, plain.apiKey),
      403,
      'merchant_feature_not_enabled',
    );
    expect((await create({ productId: plain.products.oneTime }, plain.apiKey)).status).toBe(201);
  });
});

test.each([
  [{ externalCustomerId: 'u\0' }, 'externalCustomerId', 'U+0000'],
  [{ customer: { billingDetails: { city: 'a\ud800' } } }, 'customer.billingDetails.city', 'U+D800'],
  [{ customer: { name: 'a\ue000' } }, 'customer.name', 'U+E000'],
])('400: the error names the refused character: %j', async (fields, name, code) => {
  const { status, body } = await create(fields);
  expect([status, body.message]).toEqual([
    400,
    `${name} must not contain ${code}: control, private-use and unassigned characters are not allowed.`,
  ]);
});

describe('404 product_not_found', () => {
  test('a product that does not exist', () =>
    refuses(() => create({ productId: 'ap_prod_none' }), 404, 'product_not_found'));

  test("another merchant's product", async () => {
    const other = await insertShop(api.pool);
    await refuses(() => create({ productId: other.products.oneTime }), 404, 'product_not_found');
  });

  test('an inactive product', async () => {
    const { productId } = await insertProduct(api.pool, { merchantId: shop.merchantId, status: 'inactive' });
    await refuses(() => create({ productId }), 404, 'product_not_found');
  });

  test.each([
    ['no price', null],
    ['an inactive price only', { status: 'inactive' as const }],
  ])('a product with %s', async (_name, price) => {
    const { productId } = await insertProduct(api.pool, { merchantId: shop.merchantId, price });
    await refuses(() => create({ productId }), 404, 'product_not_found');
    const { message } = (await create({ productId })).body;
    expect(message).toBe('The product does not exist, is inactive or has no active price.');
  });
});

describe('409 payment_rail_activation_in_progress', () => {
  test('a rail account that is still activating', async () => {
    const waiting = await shopWithRail({ status: 'activating' });
    await refuses(
      () => create({ productId: waiting.productId }, waiting.apiKey),
      409,
      'payment_rail_activation_in_progress',
    );
  });
});

describe('413 and 415', () => {
  test('payload_too_large: a body of 102,401 bytes', () =>
    refuses(
      () => api.request('POST', '/v1/checkouts', { apiKey: shop.apiKey, raw: 'x'.repeat(102_401) }),
      413,
      'payload_too_large',
    ));

  test('payload_too_large is reported before the content type', () =>
    refuses(
      () =>
        api.request('POST', '/v1/checkouts', {
          apiKey: shop.apiKey,
          raw: 'x'.repeat(102_401),
          headers: { 'content-type': 'text/plain' },
        }),
      413,
      'payload_too_large',
    ));

  test.each<[string, Record<string, string>]>([
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another charset', { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['a compressed body', { 'content-encoding': 'gzip' }],
  ])('unsupported_media_type: %s', (_name, headers) =>
    refuses(
      () =>
        api.request('POST', '/v1/checkouts', { apiKey: shop.apiKey, raw: JSON.stringify(body()), headers }),
      415,
      'unsupported_media_type',
    ),
  );

  test('application/json with a charset is accepted', async () => {
    const answer = await api.request('POST', '/v1/checkouts', {
      apiKey: shop.apiKey,
      body: body(),
      headers: { 'content-type': 'Application/JSON; charset="UTF-8"' },
    });
    expect(answer.status).toBe(201);
  });
});

describe('422 recurring_price_interval_missing', () => {
  test('a recurring price without an interval', async () => {
    const { productId } = await insertProduct(api.pool, {
      merchantId: shop.merchantId,
      price: { ...RECURRING, interval: null },
    });
    await refuses(() => create({ productId }), 422, 'recurring_price_interval_missing');
  });
});

describe('503 payment_rail_unavailable', () => {
  test('an environment without a rail account', async () => {
    const apiKey = await insertApiKey(api.pool, { merchantId: shop.merchantId, environment: 'production' });
    await refuses(() => create({}, apiKey), 503, 'payment_rail_unavailable');
  });

  test.each<[string, Parameters<typeof shopWithRail>[0], Record<string, unknown>]>([
    ['a disabled account', { status: 'disabled' }, {}],
    ['a rail that is not installed', { rail: 'elsewhere' }, {}],
    ['an account without card fields', { capabilities: { cardFields: false } }, {}],
    ['an account without the currency', { capabilities: { currencies: ['XTS'] } }, {}],
    ['a wallet that the account has not enabled', {}, { paymentMethod: 'google_pay' }],
  ])('%s', async (_name, account, changes) => {
    const { apiKey, productId } = await shopWithRail(account);
    await refuses(() => create({ productId, ...changes }, apiKey), 503, 'payment_rail_unavailable');
  });

  test('a paused rail, with Retry-After', async () => {
    const { apiKey, productId, merchantId } = await shopWithRail({});
    const [account] = await listRailAccounts(api.pool, merchantId, null);
    const target = await findBreakerTarget(api.pool, account?.id ?? '');
    if (!target) throw new Error('no account');
    await pauseRail(api.pool, target, { actor: 'person:ada', reason: 'incident at the rail' });
    const answer = await create({ productId }, apiKey);
    expectRefusal(answer, 503, 'payment_rail_unavailable');
    expect(answer.body.message).toContain('Try again in a few minutes');
    expect(answer.headers.get('retry-after')).toBe('300');
  });

  test('a recurring product on a rail without mandates', async () => {
    const { apiKey, merchantId } = await shopWithRail({ capabilities: { recurring: false } });
    const { productId } = await insertProduct(api.pool, { merchantId, price: RECURRING });
    await refuses(() => create({ productId }, apiKey), 503, 'payment_rail_unavailable');
  });
});

describe('the order of the checks', () => {
  /** Each step fixes the reported violation and then hits the next one. */
  test('follows the contract, from the key to the rail', async () => {
    const merchantId = await insertMerchant(api.pool, { subscriptionsEnabled: false, status: 'inactive' });
    const scope = { merchantId, environment: 'sandbox' as const };
    const key = await insertApiKey(api.pool, scope);
    const price = { ...RECURRING, interval: null, trialPeriodDays: 14 };
    const { productId, priceId } = await insertProduct(api.pool, { merchantId, price });
    const set = (statement: ReturnType<typeof sql.unsafe>) => api.pool.query(statement);

    const request = {
      apiKey: 'wrong',
      headers: { 'Idempotency-Key': '1', 'content-type': 'text/plain' } as Record<string, string>,
      raw: 'x'.repeat(102_401) as string | undefined,
      body: undefined as Record<string, unknown> | undefined,
    };
    const meets = async (status: number, code: string) => {
      const { raw, body: json, ...rest } = request;
      const sent = raw === undefined ? { ...rest, body: json } : { ...rest, raw };
      expectRefusal(await api.request('POST', '/v1/checkouts', sent), status, code);
    };

    await meets(401, 'api_key_invalid');
    request.apiKey = key;
    await meets(403, 'merchant_inactive');
    await set(sql.unsafe`update merchants set status = 'active' where id = ${merchantId}`);
    await meets(400, 'checkout_idempotency_key_not_allowed');
    delete request.headers['Idempotency-Key'];
    await meets(413, 'payload_too_large');
    request.raw = '{';
    await meets(415, 'unsupported_media_type');
    request.headers = {};
    await meets(400, 'invalid_json');
    request.raw = undefined;
    request.body = {
      priceId: 'x',
      merchantId: 'x',
      couponCode: 0,
      quantity: 0,
      reconciliation: 1,
      failUrl: 1,
      successUrl: 1,
      locale: 1,
      paymentMethod: 1,
      amount: 0,
      customer: { tax: { type: 1, value: 1 }, billingDetails: 1, name: 1, email: 1 },
    };
    await meets(400, 'checkout_productId_required');
    request.body.productId = 'ap_prod_none';
    await meets(400, 'checkout_externalCustomerId_required');
    request.body.externalCustomerId = 'u-1';
    await meets(400, 'checkout_email_invalid');
    request.body.customer = { tax: { type: 1, value: 1 }, billingDetails: 1, name: 1 };
    await meets(400, 'checkout_name_invalid');
    request.body.customer = { tax: { type: 1, value: 1 }, billingDetails: 1 };
    await meets(400, 'checkout_billingDetails_invalid');
    request.body.customer = { tax: { type: 1, value: 1 } };
    await meets(400, 'checkout_value_invalid');
    request.body.customer = { tax: { type: 1 } };
    await meets(400, 'checkout_type_invalid');
    request.body.customer = null;
    await meets(400, 'checkout_amount_invalid');
    request.body.amount = 5_000;
    await meets(400, 'checkout_paymentMethod_invalid');
    request.body.paymentMethod = null;
    await meets(400, 'checkout_locale_invalid');
    request.body.locale = null;
    await meets(400, 'checkout_successUrl_invalid');
    request.body.successUrl = null;
    await meets(400, 'checkout_failUrl_invalid');
    request.body.failUrl = null;
    await meets(400, 'checkout_reconciliation_invalid');
    request.body.reconciliation = { merchantReference: 1 };
    await meets(400, 'checkout_merchantReference_invalid');
    request.body.reconciliation = null;
    await meets(400, 'checkout_quantity_invalid');
    request.body.quantity = 2;
    await meets(400, 'checkout_couponCode_invalid');
    request.body.couponCode = 'NO-SUCH-CODE';
    await meets(403, 'merchant_scope_mismatch');
    request.body.merchantId = merchantId;
    await meets(400, 'merchant_id_not_allowed');
    request.body.merchantId = undefined;
    await meets(400, 'price_id_not_allowed');
    request.body.priceId = undefined;
    request.body.amount = 1_901;
    await meets(400, 'checkout_couponCode_not_allowed_with_amount');
    request.body.couponCode = null;
    await meets(404, 'product_not_found');
    request.body.productId = productId;
    await meets(403, 'merchant_feature_not_enabled');
    await set(sql.unsafe`update merchants set subscriptions_enabled = true where id = ${merchantId}`);
    await meets(422, 'recurring_price_interval_missing');
    await set(sql.unsafe`update prices set interval = 'month' where id = ${priceId}`);
    await meets(400, 'checkout_quantity_invalid');
    request.body.quantity = 1;
    await meets(400, 'checkout_amount_not_allowed_with_trial');
    await set(sql.unsafe`update prices set trial_period_days = null where id = ${priceId}`);
    await meets(400, 'checkout_amount_exceeds_price');
    request.body.amount = 1;
    const railAccountId = await insertRailAccount(api.pool, { ...scope, status: 'active' });
    const subscribed = await insertSubscription(api.pool, scope, productId, null, {
      externalCustomerId: 'u-1',
    });
    await set(sql.unsafe`update rail_accounts set status = 'disabled' where id = ${railAccountId}`);
    await set(sql.unsafe`update products set one_subscription_per_customer = true where id = ${productId}`);
    await meets(409, 'subscription_exists');
    await set(sql.unsafe`update subscriptions set status = 'cancelled' where id = ${subscribed}`);
    await meets(503, 'payment_rail_unavailable');
    await set(sql.unsafe`update rail_accounts set status = 'activating' where id = ${railAccountId}`);
    await meets(409, 'payment_rail_activation_in_progress');
    await set(sql.unsafe`update rail_accounts set status = 'active' where id = ${railAccountId}`);
    request.body.amount = null;
    request.body.couponCode = 'NO-SUCH-CODE';
    await meets(400, 'coupon_invalid');
    request.body.couponCode = null;
    const { raw: _raw, ...good } = request;
    expect((await api.request('POST', '/v1/checkouts', good)).status).toBe(201);
  });
});

async function shopWithRail(
  account: Omit<Parameters<typeof insertRailAccount>[1], 'merchantId' | 'environment'>,
) {
  const merchantId = await insertMerchant(api.pool);
  const scope = { merchantId, environment: 'sandbox' as const };
  await insertRailAccount(api.pool, { ...scope, ...account });
  const { productId } = await insertProduct(api.pool, { merchantId });
  return { merchantId, productId, apiKey: await insertApiKey(api.pool, scope) };
}

test.each([
  ['500: a bug', new Error('a bug'), 500],
  ['503: a lost database connection', NOT_THERE, 503],
] as const)('%s after the key check is reported as checkout_failed', async (_, error, status) => {
  const poolThrough = failing(error, 'maybeOne');
  const broken = await startTestApi({ databaseUrl: api.databaseUrl, poolThrough });
  const answer = await broken.request('POST', '/v1/checkouts', { apiKey: shop.apiKey, body: body() });
  expectRefusal(answer, status, 'checkout_failed');
  await broken.stop();
});

seesEveryAnswerOf('createCheckout');
