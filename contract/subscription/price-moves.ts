/** Moves of all subscribers of a price to the price that replaced it. Each belongs to one environment. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { exampleProduct } from '../catalogue/resources.ts';
import { listOf, single } from '../core/answers.ts';
import { EXAMPLE_CUSTOMER_ID, UNIQUE } from '../core/examples.ts';
import { cents, currency, givenInstant, instant } from '../core/fields.ts';
import { requiredText } from '../core/text.ts';
import { CLOSED } from '../core/unknown-field.ts';

const EXAMPLE_OLD_PRICE = 'ap_price_019a3c1c8f3b7d21a4c5e6f708192a3b';
const EXAMPLE_NEW_PRICE = `ap_price_${UNIQUE}`;

const environment = z.enum(ENVIRONMENTS);
const FROM =
  'Each subscriber’s first renewal at or after this time is charged at the new price, once the notice period (setting `price_move_notice_days`) has passed since its announcement.';

export const newPriceMove = z
  .object({
    environment,
    old_price_id: requiredText(200).meta({
      description: 'The inactive price whose subscribers move.',
      example: EXAMPLE_OLD_PRICE,
    }),
    new_price_id: requiredText(200).meta({
      description: 'The active price of the same product, with the same interval and currency.',
      example: EXAMPLE_NEW_PRICE,
    }),
    from: givenInstant.meta({ description: `${FROM} At least the notice period away, at most five years.` }),
  })
  .meta({ id: 'PriceMoveRequest', ...CLOSED });
export type NewPriceMove = z.infer<typeof newPriceMove>;

export const priceMoveChanges = z
  .object({
    status: z
      .literal('cancelled')
      .meta({ description: 'No more subscribers are moved. Those already charged the new price keep it.' }),
  })
  .meta({ id: 'PriceMoveChanges', ...CLOSED });

const fields = {
  id: z.string(),
  merchant_id: z.string(),
  environment,
  product_id: z.string(),
  old_price_id: z.string(),
  new_price_id: z.string(),
  from: instant.meta({ description: FROM }),
  notice_days: z.int().nonnegative().meta({ description: 'The setting when it was created.' }),
  status: z.enum(['active', 'cancelled']),
  created_at: instant,
  cancelled_at: instant.nullable(),
};
export const priceMove = z.object(fields).meta({ id: 'PriceMove' });
export type PriceMove = z.infer<typeof priceMove>;

const count = z.int().nonnegative();
export const priceMoveCounts = z
  .object({
    announced: count.meta({ description: 'Were sent the announcement and have not renewed since.' }),
    waiting: count.meta({
      description: 'Not announced yet; at most 500 a minute are announced, for all moves together.',
    }),
    moved: count.meta({ description: 'Renew at the new price; no later move has been announced.' }),
    refused: count.meta({ description: 'Not moved for now: see `refusals`.' }),
  })
  .meta({
    id: 'PriceMoveCounts',
    description: 'Counted over at most 100,000 subscribers of each of the two prices.',
  });

export const priceMoveRefusal = z
  .object({
    subscription_id: z.string(),
    customer_id: z.string(),
    code: z
      .enum([
        'subscription_cancel_scheduled',
        'subscription_charging_stopped',
        'subscription_change_scheduled',
        'subscription_quantity_invalid',
      ])
      .meta({
        description:
          'The subscription ends first; a dispute was lost; another change leaves the price; or the new price times its quantity is too high. Once the reason no longer applies, it is moved: from the announced date, or with a new announcement and the full notice period if there was none.',
      }),
  })
  .meta({ id: 'PriceMoveRefusal' });

const report = {
  currency,
  counts: priceMoveCounts,
  sample: z
    .array(
      z
        .object({
          subscription_id: z.string(),
          customer: z
            .object({
              id: z.string(),
              external_customer_id: z.string().nullable(),
              email: z.string().nullable(),
            })
            .meta({ id: 'PriceMoveCustomer' }),
          at: instant.nullable().meta({
            description:
              'The renewal; null if none is scheduled: a pause without a date, or too few periods left.',
          }),
          old_total: cents.meta({
            description: 'Amount of that renewal without the move, after its coupon.',
          }),
          new_total: cents.meta({ description: 'Amount of that renewal, after its coupon.' }),
        })
        .meta({ id: 'PriceMovePreview' }),
    )
    .meta({ description: 'At most ten of those `announced` and `waiting`.' }),
  refusals: z.array(priceMoveRefusal).meta({ description: 'At most 100.' }),
};
const priceMoveReport = z.object(report);
export type PriceMoveReport = z.infer<typeof priceMoveReport>;

export const examplePriceMove: PriceMove = {
  id: `ap_pm_${UNIQUE}`,
  merchant_id: exampleProduct.merchant_id,
  environment: 'sandbox',
  product_id: exampleProduct.id,
  old_price_id: EXAMPLE_OLD_PRICE,
  new_price_id: EXAMPLE_NEW_PRICE,
  from: '2026-06-01T00:00:00.000Z',
  notice_days: 30,
  status: 'active',
  created_at: '2026-01-31T09:30:00.000Z',
  cancelled_at: null,
};
const exampleReport: PriceMoveReport = {
  currency: 'EUR',
  counts: { announced: 41, waiting: 0, moved: 0, refused: 1 },
  sample: [
    {
      subscription_id: `ap_sub_${UNIQUE}`,
      customer: { id: EXAMPLE_CUSTOMER_ID, external_customer_id: 'customer-1', email: 'buyer@example.com' },
      at: '2026-06-12T09:30:00.000Z',
      old_total: 900,
      new_total: 1_100,
    },
  ],
  refusals: [
    {
      subscription_id: 'ap_sub_019a3c1c8f3b7d21a4c5e6f708192a3b',
      customer_id: EXAMPLE_CUSTOMER_ID,
      code: 'subscription_cancel_scheduled',
    },
  ],
};

export const priceMoveAnswer = single(priceMove, examplePriceMove);
export const priceMoveList = listOf(priceMove, examplePriceMove);
export const priceMoveReportAnswer = single(priceMoveReport, exampleReport, 'PriceMoveReportAnswer');
export const priceMoveDetailsAnswer = single(
  z.object({ ...fields, ...report }),
  { ...examplePriceMove, ...exampleReport },
  'PriceMoveDetailsAnswer',
);
