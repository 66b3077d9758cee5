/** GET /invoices/<token>.pdf: the PDF never changes, and its link needs no key. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { issueCreditNote } from '../../../db/invoice/credit-notes.ts';
import { draftInvoice } from '../../../db/invoice/draft-invoice.ts';
import { issueInvoice } from '../../../db/invoice/invoices.ts';
import { eventContextOfPayment } from '../../../db/payment/event-payment.ts';
import { expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { bought, download, pdfUrlOf } from '../../support/api/invoice-pdf.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { insertPurchase, insertShop, type Shop } from '../../support/db/fixtures.ts';

const NAMELESS = {
  external_customer_id: null,
  email: null,
  billing_details: null,
  tax_value: null,
  tax_type: null,
};
const LINE = {
  product_id: 'p',
  price_id: 'p',
  description: 'Filterkaffee',
  quantity: 1,
  unit_amount: 1900,
  amount: 1900,
  tax_rate: 19,
  tax_amount: 303,
};

let api: TestApi;
let shop: Shop;

beforeAll(async () => {
  api = await startTestApi();
  shop = await insertShop(api.pool, { branding: { language: 'en' } });
  await bought(api, shop);
});
afterAll(() => api?.stop());

describe('an invoice PDF', () => {
  test('is byte-identical when downloaded again after changes of merchant, customer and invoice', async () => {
    const path = await pdfUrlOf(api, shop);
    const first = await download(api, path);
    await api.pool.query(sql.unsafe`
      update merchants set branding = '{"language":"de"}', legal_identity = '{"name":"Anders"}'
      where id = ${shop.merchantId}
    `);
    await api.pool.query(
      sql.unsafe`update customers set name = 'Anders' where merchant_id = ${shop.merchantId}`,
    );
    await api.pool.query(
      sql.unsafe`update invoices set status = 'void' where merchant_id = ${shop.merchantId}`,
    );
    expect((await download(api, path)).bytes.equals(first.bytes)).toBe(true);
  });

  test('is rendered to the same bytes if its stored copy is lost', async () => {
    const merchant = await insertShop(api.pool);
    await bought(api, merchant);
    const path = await pdfUrlOf(api, merchant);
    const first = await download(api, path);
    await api.pool.query(sql.unsafe`delete from document_pdfs`);
    expect((await download(api, path)).bytes.equals(first.bytes)).toBe(true);
  });

  test('is the same document for two concurrent first requests', async () => {
    const merchant = await insertShop(api.pool);
    await bought(api, merchant);
    const path = await pdfUrlOf(api, merchant);
    const [one, two] = await Promise.all([download(api, path), download(api, path)]);
    expect(one?.bytes.equals(two?.bytes ?? Buffer.alloc(0))).toBe(true);
  });
});

test('an issued invoice or credit note whose PDF prints a character as its code is found by the prints_codes filter', async () => {
  const merchant = await insertShop(api.pool);
  const { customerId, paymentId } = await insertPurchase(api.pool, merchant, merchant.products.oneTime);
  const listed = async (q = '', list = 'invoices') => {
    const path = `/v1/merchants/${merchant.merchantId}/search/${list}?prints_codes=true${q}`;
    const { body } = await api.request('GET', path, { apiKey: merchant.apiKey });
    return body.data.map(({ customer }: { customer: { name: string } }) => customer.name);
  };
  const { context } = await inTransaction(api.pool, (tx) => eventContextOfPayment(tx, paymentId));
  const issued = async (name: string, status: 'created' | 'draft') => {
    const draft = {
      scope: merchant,
      customerId,
      ...{ orderId: null, subscriptionId: null, period: null, status },
      ...{ amount: 1900, amountDue: 0, currency: 'EUR' as const, lineItems: [LINE], supplier: {} },
      customer: JSON.stringify({ ...NAMELESS, id: customerId, name }),
    };
    return inTransaction(api.pool, async (tx) => {
      if (status === 'draft') return draftInvoice(tx, draft);
      const { id } = await issueInvoice(tx, draft);
      const credit = { scope: merchant, invoiceId: id, refundId: null, disputeId: null, paymentId: null };
      await issueCreditNote(tx, { ...credit, reason: 'correction', amount: 100 }, context);
      return id;
    });
  };
  await issued('Żółć Ελλάδα', 'created');
  await issued('\u0b86\u0ba4\u0bbf', 'created');
  await issued('\u0b87\u0bb3', 'draft');
  expect(await listed()).toEqual(['\u0b87\u0bb3', '\u0b86\u0ba4\u0bbf']);
  expect(await listed('&q=19.00')).toEqual(['\u0b87\u0bb3', '\u0b86\u0ba4\u0bbf']);
  expect(await listed('', 'credit-notes')).toEqual(['\u0b86\u0ba4\u0bbf']);
});

describe('the link', () => {
  test('exists for each issued invoice', async () => {
    const merchant = await insertShop(api.pool);
    const { invoiceId } = await insertPurchase(api.pool, merchant, merchant.products.oneTime);
    const token = await api.pool.oneFirst(sql.type(z.object({ pdf_token: z.string() }))`
      select pdf_token from invoices where id = ${invoiceId}
    `);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect((await download(api, `/invoices/${token}.pdf`)).response.status).toBe(200);
  });

  test('needs no key, is not indexed by search engines, and appears in no log', async () => {
    const path = await pdfUrlOf(api, shop);
    const { response } = await download(api, path);
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(api.logLines.join('')).not.toContain(path.slice('/invoices/'.length, 40));
  });

  test.each(['/invoices/x.pdf', `/invoices/${'0'.repeat(64)}.pdf`, `/invoices/${'0'.repeat(64)}`])(
    '404 invoice_not_found for %s',
    async (path) => expectRefusal(await api.request('GET', path), 404, 'invoice_not_found'),
  );
});

seesEveryAnswerOf('showInvoicePdf');
