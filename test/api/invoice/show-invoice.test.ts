/** GET /invoices/<token>.pdf: what stands on an invoice, how it looks, and that it never changes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { expectRefusal, startTestApi, type TestApi } from '../../support/api.ts';
import { APPROVED, answer, clickAccepted } from '../../support/attempts.ts';
import { insertPurchase, insertSession, insertShop, type Shop } from '../../support/fixtures.ts';
import { pictureOf, textOf } from '../../support/pdf.ts';
import { seesEveryAnswerOf } from '../../support/seen-answers.ts';
import { beginAt, driverOf, insertSubscription } from '../../support/subscriptions.ts';

let api: TestApi;
let shop: Shop;

beforeAll(async () => {
  api = await startTestApi();
  shop = await insertShop(api.pool, { branding: { language: 'en' } });
});
afterAll(() => api?.stop());

const pdfUrlOf = async (merchant: Shop, n = 0): Promise<string> => {
  const { body } = await api.request('GET', '/v1/invoices', { apiKey: merchant.apiKey });
  return new URL(body.data[n].pdf_url).pathname;
};
const download = async (path: string) => {
  const response = await fetch(api.url + path);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

/** A purchase by a customer with an address and a VAT id. */
async function bought(merchant: Shop): Promise<void> {
  const checkout = await insertSession(api.pool, merchant, merchant.products.oneTime, {
    prefill: {
      ...{ email: 'zofia@example.eu', name: 'Zofia Wiśniewska' },
      billingDetails: {
        line1: 'ul. Łąkowa 12',
        line2: null,
        city: 'Gdańsk',
        region: null,
        postal_code: '80-743',
        country: 'PL',
      },
      ...{ taxValue: 'PL1234567890', taxType: 'eu_vat' },
    },
  });
  const paymentId = await clickAccepted(api.pool, checkout.id, { email: null });
  await answer(api.pool, checkout.id, paymentId, APPROVED);
}

describe('the document', () => {
  test('says everything that Article 226 asks for', async () => {
    await bought(shop);
    const { response, bytes } = await download(await pdfUrlOf(shop));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toMatch(/^inline; filename="\d{4}-000001\.pdf"$/);
    const text = await textOf(bytes);
    const year = new Date().getUTCFullYear();
    for (const said of [
      // (1) to (3): dates, number, supplier's VAT id.
      `Invoice number`,
      `${year}-000001`,
      'Date of issue',
      'Date of supply',
      'VAT ID: DE123456789',
      // (4), (5): names and addresses, customer's VAT id.
      'Kaffeerösterei Nord GmbH',
      'Hafenweg 1',
      '20457 Hamburg',
      'Zofia Wiśniewska',
      'ul. Łąkowa 12',
      '80-743 Gdańsk',
      'Poland',
      'VAT ID: PL1234567890',
      // (6), (8) to (10): nature and quantity, unit price without VAT, base, rate and VAT amount.
      'Filterkaffee, 1 kg',
      'Unit price (net)',
      '€15.97',
      '19%',
      'VAT 19% on €15.97',
      '€3.03',
      '€19.00',
    ]) {
      expect(text).toContain(said);
    }
  });

  test('says in the words of the merchant why there is no VAT', async () => {
    const merchant = await insertShop(api.pool, { branding: { language: 'de' } });
    const note = 'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.';
    await api.pool.query(sql.unsafe`
      update merchants set legal_identity = legal_identity || ${sql.jsonb({ vat_note: note })}
      where id = ${merchant.merchantId}
    `);
    await api.pool.query(sql.unsafe`
      update prices set tax_rate = 0
      where product_id in (${merchant.products.oneTime}, ${merchant.products.recurring})
    `);
    await bought(merchant);
    const id = await insertSubscription(api.pool, merchant, merchant.products.recurring);
    const { currentPeriodEnd } = await driverOf(api.pool, id, () => APPROVED).view();
    await driverOf(api.pool, id, () => APPROVED).advance(currentPeriodEnd ?? '');
    for (const n of [0, 1, 2]) {
      const text = await textOf((await download(await pdfUrlOf(merchant, n))).bytes);
      expect(text).toContain(note);
      expect(text).not.toContain('Für Positionen mit 0');
    }
  });

  test('is well set: one page, inside its margins, neither empty nor black', async () => {
    const { bytes } = await download(await pdfUrlOf(shop));
    const { width, height, ink, share } = await pictureOf(bytes);
    expect(height / width).toBeCloseTo(Math.SQRT2, 1);
    expect(ink.left).toBeGreaterThan(0.08);
    expect(ink.right).toBeLessThan(0.92);
    expect(ink.top).toBeGreaterThan(0.05);
    expect(ink.bottom).toBeLessThan(0.96);
    expect(share).toBeGreaterThan(0.005);
    expect(share).toBeLessThan(0.1);
    await expect(pictureOf(bytes, 2)).rejects.toThrow();
  });

  test('names the period of a renewal, without a day in two periods', async () => {
    const merchant = await insertShop(api.pool, { branding: { language: 'de' } });
    const id = await insertSubscription(api.pool, merchant, merchant.products.recurring);
    const year = new Date().getUTCFullYear() + 1;
    await beginAt(api.pool, id, `${year}-01-15T09:00:00.000Z`);
    await driverOf(api.pool, id, () => APPROVED).advance(`${year}-02-16T09:00:00.000Z`);
    const text = await textOf((await download(await pdfUrlOf(merchant))).bytes);
    expect(text).toContain('Leistungszeitraum');
    expect(text).toContain(`15. Februar ${year} – 14. März ${year}`);
    expect(text).toContain('Gesamtbetrag');
    expect(text).toContain('9,00 €');
  });
});

describe('handed out again', () => {
  test('is the same to the byte, after the merchant, the customer and the invoice changed', async () => {
    const path = await pdfUrlOf(shop);
    const first = await download(path);
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
    expect((await download(path)).bytes.equals(first.bytes)).toBe(true);
  });

  test('is drawn the same to the byte, should its copy be lost', async () => {
    const merchant = await insertShop(api.pool);
    await bought(merchant);
    const path = await pdfUrlOf(merchant);
    const first = await download(path);
    await api.pool.query(sql.unsafe`delete from invoice_pdfs`);
    expect((await download(path)).bytes.equals(first.bytes)).toBe(true);
  });

  test('is one document when two ask for it at first', async () => {
    const merchant = await insertShop(api.pool);
    await bought(merchant);
    const path = await pdfUrlOf(merchant);
    const [one, two] = await Promise.all([download(path), download(path)]);
    expect(one?.bytes.equals(two?.bytes ?? Buffer.alloc(0))).toBe(true);
  });
});

describe('the link', () => {
  test('is there for invoices that were issued before there were links', async () => {
    const merchant = await insertShop(api.pool);
    const { invoiceId } = await insertPurchase(api.pool, merchant, merchant.products.oneTime);
    const token = await api.pool.oneFirst(sql.type(z.object({ pdf_token: z.string() }))`
      select pdf_token from invoices where id = ${invoiceId}
    `);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect((await download(`/invoices/${token}.pdf`)).response.status).toBe(200);
  });

  test('needs no key, tells nothing to a search engine, and is in no log', async () => {
    const path = await pdfUrlOf(shop);
    const { response } = await download(path);
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
