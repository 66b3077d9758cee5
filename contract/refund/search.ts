/** Refunds in the dashboard's lists and exports. */
import { z } from 'zod';
import { pageOf } from '../core/answers.ts';
import { instant } from '../core/fields.ts';
import { datedQuery } from '../core/pagination.ts';
import { disputeStatus, refundCreditNote } from '../payment/search.ts';
import { exampleRefund, refund } from './refund.ts';

export const foundRefund = refund
  .extend({
    failure_code: z.string().nullable(),
    rail: z.string().nullable(),
    rail_account_id: z.string(),
    rail_refund_id: z.string().nullable().meta({ description: 'The refund’s id at the card processor.' }),
    rail_order_id: z.string().nullable().meta({ description: 'The payment’s id at the card processor.' }),
    payment_dispute_status: disputeStatus,
    credit_note: refundCreditNote,
    updated_at: instant,
  })
  .meta({ id: 'FoundRefund' });
export type FoundRefund = z.infer<typeof foundRefund>;

export const searchRefundsQuery = datedQuery.extend({ status: refund.shape.status.optional() });

const exampleFoundRefund: FoundRefund = {
  ...exampleRefund,
  failure_code: null,
  rail: 'sandbox',
  rail_account_id: 'ap_rac_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  rail_refund_id: 're_1',
  rail_order_id: 'pi_1',
  payment_dispute_status: null,
  credit_note: {
    id: 'ap_cn_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
    number: 'CN-2026-000004',
    pdf_url: `https://pay.example.org/credit-notes/${'4f2d0c7a'.repeat(8)}.pdf`,
  },
  updated_at: '2026-01-31T09:30:02.000Z',
};

export const foundRefundPage = pageOf(foundRefund, exampleFoundRefund);
