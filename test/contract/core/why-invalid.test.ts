/** Every refusal of a field says what the field must be, and never repeats what was sent. */
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { newPrice } from '../../../contract/catalogue/prices.ts';
import { newProduct } from '../../../contract/catalogue/products.ts';
import { whyInvalid } from '../../../contract/core/why-invalid.ts';
import { merchantChanges } from '../../../contract/merchant/merchants.ts';
import { refundRequest } from '../../../contract/refund/refund.ts';
import { newWebhookEndpoint } from '../../../contract/webhook/webhook-endpoints.ts';

function refusalOf(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value);
  const [issue] = error?.issues ?? [];
  return issue ? whyInvalid(issue, value) : 'accepted';
}

const price = { amount: 900, tax_rate: 19, billing_mode: 'one_time' };

test.each<[z.ZodType, unknown, string]>([
  [refundRequest, { paymentId: 'p', amount: 0 }, 'amount must be more than 0.'],
  [refundRequest, { paymentId: 'p', amount: 1.5 }, 'amount must be a whole number.'],
  [refundRequest, { paymentId: 'p', amount: '5' }, 'amount must be a number.'],
  [refundRequest, {}, 'Send either paymentId or orderId.'],
  [newProduct, {}, 'name is required.'],
  [newProduct, { name: null }, 'name is required.'],
  [newProduct, { name: '' }, 'name must not be empty.'],
  [newProduct, { name: 'x'.repeat(201) }, 'name must have at most 200 characters.'],
  [newProduct, { name: 'Tea', metadata: { shelf: 4 } }, 'metadata.shelf must be a string.'],
  [newPrice, { ...price, currency: 'USD' }, 'currency must be EUR.'],
  [newPrice, { ...price, billing_mode: 'weekly' }, 'billing_mode must be one_time or recurring.'],
  [
    newWebhookEndpoint,
    { environment: 'test', url: 'https://a' },
    'environment must be sandbox or production.',
  ],
  [merchantChanges, { branding: { color: 'red' } }, 'branding.color must be a colour such as #0f766e.'],
  [merchantChanges, 5, 'The body must be an object.'],
  [
    z.object({ at: z.iso.datetime() }),
    { at: 'now' },
    'at must be an instant with its offset, such as 2026-01-31T09:30:00Z.',
  ],
  [z.object({ list: z.array(z.string()).max(1) }), { list: ['a', 'b'] }, 'list must have at most 1 entry.'],
  [
    z.object({ id: z.union([z.string(), z.object({ id: z.string() })]) }),
    { id: { id: 5 } },
    'id.id must be a string.',
  ],
])('%#: %j', (schema, value, sentence) => {
  expect(refusalOf(schema, value)).toBe(sentence);
});
