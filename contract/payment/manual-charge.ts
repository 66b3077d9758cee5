/** POST /v1/manual-charges: creates a local payment in `processing`, and collects no money. */
import { z } from 'zod';
import { CURRENCIES, DEFAULT_CURRENCY, MAX_CENTS } from '../../domain/core/money.ts';
import { single } from '../core/answers.ts';
import { rule } from '../core/faults.ts';
import { text } from '../core/text.ts';
import { examplePayment, payment } from './resources.ts';

const orderId = text(200).meta({ description: 'An existing order, in any state.' });
const amount = z.int().positive().max(MAX_CENTS).meta({ description: 'Cents.' });
const currency = z
  .enum(CURRENCIES)
  .nullish()
  .meta({ description: `Defaults to ${DEFAULT_CURRENCY}.` });

export const manualChargeRequest = z
  .object({ orderId: orderId.nullish(), amount: amount.nullish(), currency })
  .refine(
    ({ orderId, amount }) => (orderId ? 1 : 0) + (amount ? 1 : 0) === 1,
    rule('inconsistent', 'Send either orderId or amount.'),
  );

/** For the API description: one type for each of the two forms of request. */
export const describedManualChargeRequest = z
  .union([
    z.object({ orderId, currency }).meta({ id: 'ManualChargeOfOrder' }),
    z.object({ amount, currency }).meta({ id: 'ManualChargeOfAmount' }),
  ])
  .meta({
    id: 'ManualChargeRequest',
    description:
      'Creates a local payment in processing: nothing is sent to a card processor, the order stays unchanged, ' +
      'and no event is sent. Do not deliver goods on it.',
  });

export const manualChargeAnswer = single(
  payment,
  {
    ...examplePayment,
    rail_account_id: null,
    rail_order_id: null,
    rail: null,
    payment_method: null,
    status: 'processing',
  },
  'ManualChargeAnswer',
);
