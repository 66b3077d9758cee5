/** An error about a field has a message for people, and a reason and limit for programs. */
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { newPrice } from '../../../contract/catalogue/prices.ts';
import { newProduct } from '../../../contract/catalogue/products.ts';
import type { Fault } from '../../../contract/core/faults.ts';
import { faultOf, whyInvalid } from '../../../contract/core/why-invalid.ts';
import { merchantChanges, newMerchant } from '../../../contract/merchant/merchants.ts';
import { operatorCommand } from '../../../contract/operations/commands.ts';
import { refundRequest } from '../../../contract/refund/refund.ts';
import { subscriptionCommand } from '../../../contract/subscription/details.ts';
import { cancelRequest } from '../../../contract/subscription/subscription-operations.ts';
import { newWebhookEndpoint } from '../../../contract/webhook/webhook-endpoints.ts';

function refusalOf(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value);
  const [issue] = error?.issues ?? [];
  return issue ? whyInvalid(issue, value) : 'accepted';
}

const REFUSED = 'control, private-use and unassigned characters are not allowed';
const price = { amount: 900, tax_rate: 19, billing_mode: 'one_time' };

test.each<[z.ZodType, unknown, string]>([
  [refundRequest, { paymentId: 'p', amount: 0 }, 'amount must be more than 0.'],
  [refundRequest, { paymentId: 'p', amount: 1.5 }, 'amount must be a whole number.'],
  [refundRequest, { paymentId: 'p', amount: '5' }, 'amount must be a number.'],
  [refundRequest, {}, 'Send either paymentId or orderId.'],
  [newProduct, {}, 'name is required.'],
  [newProduct, { name: null }, 'name must be a string, not null.'],
  [refundRequest, { paymentId: 'p', amount: null }, 'amount must be a number, not null.'],
  [cancelRequest, { at_period_end: null }, 'at_period_end must be true or false, not null.'],
  [newProduct, { name: '' }, 'name must not be empty.'],
  [newProduct, { name: 'x'.repeat(201) }, 'name must have at most 200 characters.'],
  [newProduct, { name: 'x\0' }, `name must not contain U+0000: ${REFUSED}.`],
  [newProduct, { name: 'x\ud800' }, `name must not contain U+D800: ${REFUSED}.`],
  [newProduct, { name: 'x\u0007' }, `name must not contain U+0007: ${REFUSED}.`],
  [newProduct, { name: 'x\ue000' }, `name must not contain U+E000: ${REFUSED}.`],
  [newProduct, { name: 'x\u0378' }, `name must not contain U+0378: ${REFUSED}.`],
  [newProduct, { name: 'தேநீர்' }, 'name must not contain U+0BA4 (த): no invoice font contains it.'],
  [
    newMerchant,
    { name: 'Tea', legal_identity: { address_lines: ['Hafenweg 1', '\u0b95'] } },
    'legal_identity.address_lines.1 must not contain U+0B95 (க): no invoice font contains it.',
  ],
  [
    newProduct,
    { name: 'Tea', metadata: { 'k\0': 'B4' } },
    `metadata has an invalid key: it must not contain U+0000: ${REFUSED}.`,
  ],
  [newProduct, { name: 'Tea', metadata: { shelf: 4 } }, 'metadata.shelf must be a string.'],
  [newProduct, { name: 'Tea', metadata: { '': 'B4' } }, 'metadata has an invalid key: it must not be empty.'],
  [
    newProduct,
    { name: 'Tea', metadata: { ['k'.repeat(41)]: 'B4' } },
    'metadata has an invalid key: it must have at most 40 characters.',
  ],
  [newPrice, { ...price, currency: 'USD' }, 'currency must be EUR.'],
  [newPrice, { ...price, billing_mode: 'weekly' }, 'billing_mode must be one_time or recurring.'],
  [
    newWebhookEndpoint,
    { environment: 'test', url: 'https://a' },
    'environment must be sandbox or production.',
  ],
  [
    newWebhookEndpoint,
    { environment: 'sandbox', url: 'https://a', event_types: ['payment'] },
    'event_types.0 must be payment.succeeded, payment.failed, subscription.created, subscription.updated, subscription.trial_ending, ' +
      'subscription.renewal_upcoming, subscription.paused, subscription.resumed, subscription.cancelled, invoice.created, invoice.payment_failed, refund.created, credit_note.created, ' +
      'payment_method.updated, payment_method.updated_required, payment_method.update_failed, ' +
      'billing.operational_alert or webhook.test.',
  ],
  [
    operatorCommand,
    { command: 'rest' },
    'command must be resolve, returned, dispute_close, credit, ask, pause_rail, resume_rail, stop_merchant, ' +
      'start_merchant, endpoint_pause, endpoint_resume, endpoint_redeliver, endpoint_recover or incident_close.',
  ],
  [operatorCommand, {}, 'command is required.'],
  [
    subscriptionCommand,
    { command: 'stop' },
    'command must be cancel, undo_cancel, pause, resume, move_trial, pay, change_plan, change_quantity, cancel_change or advance.',
  ],
  [merchantChanges, { branding: { color: 'red' } }, 'branding.color must be a colour such as #0f766e.'],
  [merchantChanges, 5, 'The body must be an object.'],
  [
    z.object({ at: z.iso.datetime() }),
    { at: 'now' },
    'at must be a timestamp with a UTC offset, such as 2026-01-31T09:30:00Z.',
  ],
  [z.object({ list: z.array(z.string()).max(1) }), { list: ['a', 'b'] }, 'list must have at most 1 entry.'],
  [
    z.object({ id: z.union([z.string(), z.object({ id: z.string() })]) }),
    { id: { id: 5 } },
    'id.id must be a string.',
  ],
])('invalid request %# gets a message that states the violated rule', (schema, value, sentence) => {
  expect(refusalOf(schema, value)).toBe(sentence);
});

test.each<[z.ZodType, unknown, Fault]>([
  [refundRequest, { paymentId: 'p', amount: 0 }, { field: 'amount', reason: 'too_small', limit: 1 }],
  [refundRequest, { paymentId: 'p', amount: '5' }, { field: 'amount', reason: 'type' }],
  [refundRequest, { paymentId: 'p', amount: null }, { field: 'amount', reason: 'required' }],
  [refundRequest, {}, { field: null, reason: 'inconsistent' }],
  [newProduct, {}, { field: 'name', reason: 'required' }],
  [newProduct, { name: '' }, { field: 'name', reason: 'required' }],
  [newProduct, { name: 'x'.repeat(201) }, { field: 'name', reason: 'too_long', limit: 200 }],
  [newProduct, { name: 'x\0' }, { field: 'name', reason: 'character' }],
  [
    newMerchant,
    { name: 'Tea', legal_identity: { address_lines: ['Hafenweg 1', '\u0b95'] } },
    { field: 'legal_identity.address_lines.1', reason: 'character' },
  ],
  [
    newProduct,
    { name: 'Tea', metadata: { ['k'.repeat(41)]: 'B4' } },
    { field: 'metadata', reason: 'too_long', limit: 40 },
  ],
  [
    newProduct,
    { name: 'Tea', metadata: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'v'])) },
    { field: 'metadata', reason: 'too_many', limit: 50 },
  ],
  [
    newPrice,
    { ...price, billing_mode: 'recurring', recurring: { interval: 'day', interval_count: 366 } },
    { field: 'recurring.interval_count', reason: 'too_large', limit: 365 },
  ],
  [newPrice, { ...price, currency: 'USD' }, { field: 'currency', reason: 'unknown_value' }],
  [merchantChanges, { branding: { color: 'red' } }, { field: 'branding.color', reason: 'format' }],
  [merchantChanges, 5, { field: null, reason: 'type' }],
  [
    z.object({ list: z.array(z.string()).max(1) }),
    { list: ['a', 'b'] },
    { field: 'list', reason: 'too_many', limit: 1 },
  ],
])('invalid request %# gets the field, the reason and the limit', (schema, value, fault) => {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  expect(issue && faultOf(issue, value)).toEqual(fault);
});
