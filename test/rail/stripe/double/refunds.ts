/** Refunds, limited to the amount paid. */
import { badRequest } from './error.ts';
import { announceRefund } from './events.ts';
import { type FormValues, record, text } from './form.ts';
import { type DoubleAccount, newId, type Refund, unixNow } from './state.ts';

export function createRefund(account: DoubleAccount, form: FormValues): Refund {
  const intent = account.intents.get(text(form, 'payment_intent') ?? '');
  if (!intent) throw badRequest('resource_missing', 'payment_intent');
  if (intent.status !== 'succeeded') throw badRequest('payment_intent_unexpected_state');
  const refunded = account.refunds
    .filter((refund) => refund.intent === intent.id && refund.status !== 'failed')
    .reduce((sum, refund) => sum + refund.amount, 0);
  const amount = Number(text(form, 'amount') ?? intent.amount - refunded);
  if (refunded >= intent.amount) throw badRequest('charge_already_refunded');
  if (refunded + amount > intent.amount) throw badRequest('amount_too_large', 'amount');
  const refund: Refund = {
    id: newId('re'),
    intent: intent.id,
    amount,
    created: unixNow(),
    metadata: record(form, 'metadata'),
    status: 'succeeded',
    failureReason: null,
  };
  account.refunds.push(refund);
  account.ledger.push({ reference: refund.metadata.reference ?? '', amount: -amount });
  announceRefund(account, refund, 'refund.created');
  return refund;
}

/** The buyer's bank returns the money days later. */
export function failRefund(account: DoubleAccount, reference: string, reason: string): void {
  const refund = account.refunds.find(({ metadata }) => metadata.reference === reference);
  if (!refund) throw new Error(`no refund ${reference}`);
  refund.status = 'failed';
  refund.failureReason = reason;
  announceRefund(account, refund, 'refund.failed');
}
