/**
 * Records a rail answer about an off-session charge in one transaction: payment, invoice, order, subscription and
 * events change together or not at all. Idempotent.
 */
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { isOpen } from '../../domain/payment/payment.ts';
import { isMethodDeclined, needsNewMethod } from '../../domain/subscription/dunning.ts';
import { nextChargeStates } from '../../domain/subscription/subscription-charge.ts';
import type { Pool } from '../core/pool.ts';
import { inSettlementTransaction } from '../invoice/invoices.ts';
import { recordAfterEnd } from '../payment/judge-after-end.ts';
import { lockPayment, transitionPayment } from '../payment/payment-row.ts';
import type { AnswerToRecord } from '../payment/rail-calls.ts';
import { applyAgreeingWebhooks } from '../payment/rail-webhooks.ts';
import { decisionOf } from '../payment/resolve-requests.ts';
import { recordSubscriptionEvent } from './core/subscription-events.ts';
import { invoiceOfPayment } from './core/subscription-invoices.ts';
import { lockSubscription, saveSubscription } from './core/subscription-row.ts';
import { auditChargeResolution } from './resolve-subscription.ts';
import { applyChange, failChange, type OfferLink } from './settle-change.ts';
import {
  type ChargeBeingSettled,
  isShorter,
  settleDeclined,
  settleNotCharged,
  settlePaid,
} from './settle-charge.ts';

interface ChargeAnswer extends AnswerToRecord<AttemptOutcome> {
  readonly dunningLadderDays: readonly number[];
  /** Lets the buyer confirm a change whose charge requires the cardholder; if absent, such a change fails. */
  readonly offerLink?: OfferLink | undefined;
}

export function recordCharge(pool: Pool, input: ChargeAnswer): Promise<void> {
  return inSettlementTransaction(pool, async (tx) => {
    const subscription = await lockSubscription(tx, input.ownerId);
    const payment = await lockPayment(tx, input.attemptId, input.ownerId);
    if (!payment) return;
    const { outcome, details } = input;
    if (!isOpen(payment.status)) return recordAfterEnd(tx, payment, outcome, details);
    const invoice = await invoiceOfPayment(tx, payment.id);
    const charge: ChargeBeingSettled = { tx, subscription, payment, invoice, details };
    const next = nextChargeStates(outcome);
    if (next.invoice === 'unknown') return stillUnknown(charge, input);

    if (invoice.change_id !== null) await settleChange(charge, invoice.change_id, input);
    else if (outcome.kind === 'declined')
      await settleDeclined(
        charge,
        {
          code: outcome.code,
          needsMethod: needsNewMethod(outcome),
          methodDeclined: isMethodDeclined(outcome),
        },
        input.dunningLadderDays,
      );
    else if (next.invoice === 'paid') await settlePaid(charge);
    else await settleNotCharged(charge, input.dunningLadderDays);
    const decision = input.resolution && (await decisionOf(tx, input.resolution));
    if (decision) await auditChargeResolution(charge, decision, next.payment);
    await applyAgreeingWebhooks(tx, payment.id, next.payment);
  });
}

function settleChange(
  charge: ChargeBeingSettled,
  changeId: string,
  { outcome, offerLink }: ChargeAnswer,
): Promise<void> {
  if (outcome.kind === 'approved') return applyChange(charge, changeId);
  if (outcome.kind !== 'declined') return failChange(charge, null);
  return failChange(charge, outcome.code, { offerLink, methodDeclined: isMethodDeclined(outcome) });
}

async function stillUnknown(
  { tx, subscription, payment, invoice, details }: ChargeBeingSettled,
  { lookupTimeUp, nextLookupSeconds, dunningLadderDays }: ChargeAnswer,
): Promise<void> {
  await transitionPayment(tx, payment, 'processing', null, { details });
  const tellOperator = lookupTimeUp && !subscription.reconciling;
  const now = await saveSubscription(
    tx,
    subscription,
    {
      reconciling: subscription.reconciling || lookupTimeUp,
      // While a change is in doubt, no period begins, so none is skipped afterwards.
      ...(tellOperator &&
        invoice.change_id === null && {
          next_period_waits: isShorter(subscription, dunningLadderDays),
        }),
    },
    nextLookupSeconds,
  );
  if (!tellOperator) return;
  await recordSubscriptionEvent(tx, now, {
    type: 'billing.operational_alert',
    alertCode: 'reconciliation_required',
    paymentId: payment.id,
  });
}
