/** Detects an unknown field, and suggests the field that was probably meant. */
import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { PRICE_TERMS, priceChanges } from '../../../contract/catalogue/prices.ts';
import { productChanges } from '../../../contract/catalogue/products.ts';
import { unknownField } from '../../../contract/core/unknown-field.ts';
import { describedRefundRequest } from '../../../contract/refund/refund.ts';
import { checkoutRequest } from '../../../contract/session/checkout.ts';
import { methodChangeRequest } from '../../../contract/session/method-change.ts';
import { subscriptionCommand } from '../../../contract/subscription/details.ts';
import {
  cancelRequest,
  describedPlanChangeRequest,
} from '../../../contract/subscription/subscription-operations.ts';

test.each<[string, z.ZodType, Record<string, unknown>, string | null]>([
  ['a known field', cancelRequest, { at_period_end: true }, null],
  [
    'the fields that every body may have',
    cancelRequest,
    { merchantId: 'm', reason: 'r', metadata: { a: 1 } },
    null,
  ],
  ['a field in another case', cancelRequest, { atPeriodEnd: true }, 'atPeriodEnd: at_period_end'],
  [
    'a longer field name',
    cancelRequest,
    { cancel_at_period_end: true },
    'cancel_at_period_end: at_period_end',
  ],
  ['a misspelt field', cancelRequest, { at_perid_end: true }, 'at_perid_end: at_period_end'],
  ['a field unlike any other', cancelRequest, { immediately: true }, 'immediately'],
  ['part of a field name', describedPlanChangeRequest, { target: 'p' }, 'target: target_plan_id'],
  [
    'fields of both alternatives',
    describedPlanChangeRequest,
    { target_plan_id: 1, target_product_id: 1 },
    null,
  ],
  ['a misspelt field of a union', describedRefundRequest, { orderId: 'o', Amount: 5 }, 'Amount: amount'],
  [
    'a field that the chosen command lacks',
    subscriptionCommand,
    { command: 'cancel', at_period_end: true, to: 1 },
    'to',
  ],
  ['a field of another command', subscriptionCommand, { command: 'advance', to: 1 }, null],
  [
    'a misspelt nested field',
    methodChangeRequest,
    { customer: { email: 'e', mail: 'm' } },
    'customer.mail: email',
  ],
  ['a key of an object with arbitrary keys', productChanges, { metadata: { anything: 'goes' } }, null],
  ['a field that the route itself refuses', priceChanges, { amount: 5 }, null],
  ['a field of a route that ignores unknown fields', checkoutRequest, { anything: 5 }, null],
  [
    'inherited property names',
    cancelRequest,
    JSON.parse('{ "__proto__": true, "constructor": 1 }'),
    '__proto__',
  ],
])('an unknown field is detected in a body with %s', (_name, schema, body, found) => {
  const { message: sentence = null, field: path = '' } = unknownField(schema, body, PRICE_TERMS) ?? {};
  const [, field = '', meant] =
    /^(.*) is not a field of this request(?:: did you mean (.*)\?|; its fields are .*\.)$/.exec(
      sentence ?? '',
    ) ?? [];
  expect(sentence && [field, meant].filter(Boolean).join(': ')).toBe(found);
  expect(path).toBe(field);
});

test('the name of a long unknown field is truncated', () => {
  const unknown = unknownField(cancelRequest, { ['x'.repeat(100_000)]: 1 });
  expect(unknown?.field).toHaveLength(60);
  expect(unknown?.message).toHaveLength(
    60 + ' is not a field of this request; its fields are at_period_end, calculated_at.'.length,
  );
});
