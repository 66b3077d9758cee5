/** POST /v1/manual-charges: a local payment in `processing`. It collects no money. */
import { z } from 'zod';
import { CURRENCIES, DEFAULT_CURRENCY } from '../../domain/money.ts';
import { single } from '../core/answers.ts';
import { MAX_CENTS, text } from '../core/text.ts';
import { payment } from './resources.ts';

export const manualChargeRequest = z
  .object({
    orderId: text(200)
      .nullish()
      .meta({ description: 'An existing order, in any state. Send this or amount.' }),
    amount: z.int().positive().max(MAX_CENTS).nullish().meta({ description: 'Cents. Send this or orderId.' }),
    currency: z
      .enum(CURRENCIES)
      .nullish()
      .meta({ description: `Defaults to ${DEFAULT_CURRENCY}.` }),
  })
  .refine(({ orderId, amount }) => (orderId ? 1 : 0) + (amount ? 1 : 0) === 1, {
    error: 'Send either orderId or amount.',
  })
  .meta({
    id: 'ManualChargeRequest',
    description:
      'Creates a local payment in processing: nothing is sent to a card processor, the order stays unchanged, ' +
      'and no event is sent. Do not deliver goods on it.',
  });

export const manualChargeAnswer = single(payment).meta({ id: 'ManualChargeAnswer' });
