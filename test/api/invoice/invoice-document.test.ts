/** GET /invoices/<token>.pdf: an invoice's text and layout. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { renderInvoice } from '../../../api/invoice/pdf/render-invoice.ts';
import { invoiceWords } from '../../../api/invoice/pdf/words.ts';
import { sql } from '../../../db/core/pool.ts';
import { documentOf } from '../../../db/invoice/invoice-document.ts';
import { LANGUAGES } from '../../../domain/core/languages.ts';
import type { InvoiceDocument } from '../../../domain/invoice/document.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { bought, download, pdfUrlOf } from '../../support/api/invoice-pdf.ts';
import { issuedDocument, itemOf } from '../../support/api/issued-document.ts';
import { inGreek, LATIN } from '../../support/core/pseudo-locale.ts';
import { APPROVED } from '../../support/db/attempts.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';
import { beginAt, driverOf, insertSubscription } from '../../support/db/subscriptions.ts';
import { pictureOf, textOf } from '../../support/tool/pdf.ts';

let api: TestApi;
let shop: Shop;

beforeAll(async () => {
  api = await startTestApi();
  shop = await insertShop(api.pool, { branding: { language: 'en' } });
});
afterAll(() => api?.stop());

describe('the document', () => {
  test('contains everything that Article 226 requires', async () => {
    await bought(api, shop);
    const { response, bytes } = await download(api, await pdfUrlOf(api, shop));
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
      'Unit price',
      '(net)',
      '€15.97',
      '19%',
      'VAT 19% on €15.97',
      '€3.03',
      '€19.00',
    ]) {
      expect(text).toContain(said);
    }
  });

  test('states in the merchant’s words why there is no VAT', async () => {
    const merchant = await insertShop(api.pool, { branding: { language: 'de' } });
    const note = 'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.';
    await api.pool.query(sql.unsafe`
      update merchants set legal_identity = legal_identity || ${sql.jsonb({ vat_note: note })}
      where id = ${merchant.merchantId}
    `);
    await bought(api, merchant);
    const taxed = await textOf((await download(api, await pdfUrlOf(api, merchant))).bytes);
    expect(taxed).not.toContain(note);
    await api.pool.query(sql.unsafe`
      update prices set tax_rate = 0
      where product_id in (${merchant.products.oneTime}, ${merchant.products.recurring})
    `);
    await bought(api, merchant);
    const id = await insertSubscription(api.pool, merchant, merchant.products.recurring);
    const { currentPeriodEnd } = await driverOf(api.pool, id, () => APPROVED).view();
    await driverOf(api.pool, id, () => APPROVED).advance(currentPeriodEnd ?? '');
    for (const n of [0, 1, 2]) {
      const text = await textOf((await download(api, await pdfUrlOf(api, merchant, n))).bytes);
      expect(text).toContain(note);
      expect(text).not.toContain('Für Positionen mit 0');
    }
  });

  test('fits one page within its margins, and is neither blank nor black', async () => {
    const { bytes } = await download(api, await pdfUrlOf(api, shop));
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

  test('contains only strings from its language’s catalogue', async () => {
    const words = { ...inGreek(invoiceWords('en')), locale: 'el' };
    for (const isInvoice of [true, false])
      for (const period of [null, '2026-02-28'])
        expect(await textOf(await renderInvoice(cyrillic(isInvoice, period), words))).not.toMatch(LATIN);
  });

  test.each(LANGUAGES)('has enough room for the strings in %s', async (language) => {
    const words = invoiceWords(language);
    for (const isInvoice of [true, false]) {
      const bytes = await renderInvoice(cyrillic(isInvoice, null), words);
      const text = await textOf(bytes);
      const { totalNet, total, totalCredited, page } = words;
      for (const said of [totalNet, isInvoice ? total : totalCredited, `2026-000002 · ${page(1, 1)}`])
        expect(text).toContain(said);
      await expect(pictureOf(bytes, 2)).rejects.toThrow();
    }
  });

  test('names the period of a renewal; no day belongs to two periods', async () => {
    const merchant = await insertShop(api.pool, { branding: { language: 'de' } });
    const id = await insertSubscription(api.pool, merchant, merchant.products.recurring);
    const year = new Date().getUTCFullYear() + 1;
    await beginAt(api.pool, id, `${year}-01-15T09:00:00.000Z`);
    await driverOf(api.pool, id, () => APPROVED).advance(`${year}-02-16T09:00:00.000Z`);
    const text = await textOf((await download(api, await pdfUrlOf(api, merchant))).bytes);
    expect(text).toContain('Leistungszeitraum');
    expect(text).toContain(`15. Februar ${year} – 14. März ${year}`);
    expect(text).toContain('Gesamtbetrag');
    expect(text).toContain('9,00 €');
  });
});

/** A document whose data contains no Latin letter. */
function cyrillic(isInvoice: boolean, lastDay: string | null): InvoiceDocument {
  const { customer } = issuedDocument();
  return documentOf(
    issuedDocument({
      type_code: isInvoice ? 380 : 381,
      number: '2026-000002',
      preceding_number: isInvoice ? null : '2026-000001',
      period_first_day: lastDay && '2026-01-31',
      period_last_day: lastDay,
      customer: {
        ...customer,
        email: 'ада@пример.рф',
        name: 'Ада',
        billing_details: { line1: 'Портовая 2', city: 'Гамбург', country: 'DE' },
        tax_value: '123',
      },
      supplier: { name: 'Маяк', address_lines: ['Портовая 1'], vat_id: '456' },
      line_items: [itemOf('Приливы', 1_900), itemOf('Приливы', 1_900, 0)],
    }),
  );
}
