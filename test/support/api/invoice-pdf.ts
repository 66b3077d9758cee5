/** Downloads an invoice as its customer does: the PDF behind the link in the list. */

import { APPROVED, answer, clickAccepted } from '../db/attempts.ts';
import { insertSession, type Shop } from '../db/fixtures.ts';
import type { TestApi } from './api.ts';

export async function pdfUrlOf(api: TestApi, merchant: Shop, n = 0): Promise<string> {
  const { body } = await api.request('GET', '/v1/invoices', { apiKey: merchant.apiKey });
  return new URL(body.data[n].pdf_url).pathname;
}

export async function download(api: TestApi, path: string) {
  const response = await fetch(api.url + path);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** A purchase by a customer with an address and a VAT id. */
export async function bought(api: TestApi, merchant: Shop): Promise<void> {
  const checkout = await insertSession(api.pool, merchant, merchant.products.oneTime, {
    buyer: {
      email: 'zofia@example.eu',
      party: {
        name: 'Zofia Wiśniewska',
        billing_details: {
          line1: 'ul. Łąkowa 12',
          line2: null,
          city: 'Gdańsk',
          region: null,
          postal_code: '80-743',
          country: 'PL',
        },
        tax_value: 'PL1234567890',
        tax_type: 'eu_vat',
      },
    },
  });
  const paymentId = await clickAccepted(api.pool, checkout.id, { email: null });
  await answer(api.pool, checkout.id, paymentId, APPROVED);
}
