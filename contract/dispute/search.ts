/** Disputes in the dashboard's lists and exports. */
import { z } from 'zod';
import { pageOf } from '../core/answers.ts';
import { datedQuery } from '../core/pagination.ts';
import { dispute, exampleDispute } from './dispute.ts';

export const foundDispute = dispute
  .extend({
    rail: z.string().nullable(),
    rail_account_id: z.string(),
    rail_dispute_id: z.string().meta({ description: 'The dispute’s id at the card processor.' }),
    rail_order_id: z.string().nullable().meta({ description: 'The payment’s id at the card processor.' }),
  })
  .meta({ id: 'FoundDispute' });
export type FoundDispute = z.infer<typeof foundDispute>;

export const searchDisputesQuery = datedQuery.extend({ status: dispute.shape.status.optional() });

const exampleFoundDispute: FoundDispute = {
  ...exampleDispute,
  rail: 'sandbox',
  rail_account_id: 'ap_rac_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  rail_dispute_id: 'dp_1',
  rail_order_id: 'pi_1',
};

export const foundDisputePage = pageOf(foundDispute, exampleFoundDispute);
