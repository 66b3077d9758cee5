/** An invoice as the database returns it. */
import type { documentOf } from '../../../db/invoice/invoice-document.ts';
import { taxIncludedCents } from '../../../domain/core/tax.ts';

export type Issued = Parameters<typeof documentOf>[0];

export function issuedDocument(changes: Partial<Issued> = {}): Issued {
  return {
    type_code: 380,
    number: '2026-000001',
    issued_on: '2026-11-27',
    delivered_on: '2026-11-27',
    period_first_day: null,
    period_last_day: null,
    preceding_number: null,
    currency: 'EUR',
    customer: {
      id: 'ap_cus_1',
      external_customer_id: null,
      email: 'zofia@example.eu',
      name: 'Zofia Wiśniewska',
      billing_details: { line1: 'ul. Łąkowa 12', postal_code: '80-743', city: 'Gdańsk', country: 'PL' },
      tax_value: 'PL1234567890',
      tax_type: 'eu_vat',
    },
    supplier: {
      name: 'Kaffeerösterei Nord & Söhne GmbH',
      address_lines: ['Hafenweg 1', '20457 Hamburg'],
      vat_id: 'DE123456789',
    },
    line_items: [itemOf('Filterkaffee, 1 kg', 1_900)],
    ...changes,
  };
}

export function itemOf(description: string, amount: number, taxRate = 19): Issued['line_items'][number] {
  return {
    product_id: 'ap_prod_1',
    price_id: 'ap_price_1',
    description,
    quantity: 1,
    unit_amount: amount,
    amount,
    tax_rate: taxRate,
    tax_amount: taxIncludedCents(amount, taxRate),
  };
}
