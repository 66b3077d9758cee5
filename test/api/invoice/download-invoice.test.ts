/** GET /invoices/<token>.pdf: an invoice never changes, and its link needs no key. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { bought, download, pdfUrlOf } from '../../support/api/invoice-pdf.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { insertPurchase, insertShop, type Shop } from '../../support/db/fixtures.ts';

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

  test('renders to the same bytes if its stored copy is lost', async () => {
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

test('an invoice whose PDF prints the code of a character is listed once it was downloaded', async () => {
  const merchant = await insertShop(api.pool);
  await bought(api, merchant);
  await bought(api, merchant);
  await api.pool.query(sql.unsafe`
    update invoices set customer = customer || '{"name":"\u0b86\u0ba4\u0bbf"}'
    where id = (select min(id) from invoices where merchant_id = ${merchant.merchantId})`);
  const listed = async (q = '') => {
    const path = `/v1/merchants/${merchant.merchantId}/search/invoices?prints_codes=true${q}`;
    const { body } = await api.request('GET', path, { apiKey: merchant.apiKey });
    return body.data.map(({ customer }: { customer: { name: string } }) => customer.name);
  };
  expect(await listed()).toEqual([]);
  const tokens = await api.pool.anyFirst(sql.type(z.object({ pdf_token: z.string() }))`
    select pdf_token from invoices where merchant_id = ${merchant.merchantId}`);
  for (const token of tokens) await download(api, `/invoices/${token}.pdf`);
  expect(await listed()).toEqual(['\u0b86\u0ba4\u0bbf']);
  expect(await listed('&q=19.00')).toEqual(['\u0b86\u0ba4\u0bbf']);
});

describe('the link', () => {
  test('exists for invoices issued before links existed', async () => {
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
