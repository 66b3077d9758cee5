/**
 * Counts the state changes of sessions and the final outcomes of payments once they are committed. The counts are
 * for dashboards only: a process that dies after the commit does not count its change.
 */
import { counter, merchantLabel } from './metrics.ts';

const steps = counter('checkout.session.steps', {
  unit: '{session}',
  description: 'Sessions that reached a step for the first time.',
});
const attempts = counter('checkout.payment.attempts', {
  unit: '{attempt}',
  description: 'Attempts that ended, by the outcome that was recorded.',
});
const amounts = counter('checkout.payment.amount', {
  unit: '{minor_unit}',
  description: "Money of payments that succeeded, in the currency's minor unit.",
});

interface Whose {
  readonly merchant_id: string;
  readonly environment: string;
}

export type SessionStep = 'created' | 'attempted' | 'challenged' | 'succeeded' | 'failed';

export interface SteppingSession extends Whose {
  /** The subscription whose payment method is changed, or whose invoice is paid; null for a purchase. */
  readonly subscription_id: string | null;
  readonly invoice_id?: string | null;
}

export function countStep(session: SteppingSession, step: SessionStep, reason: string | null = null): void {
  steps.add(1, {
    step,
    environment: session.environment,
    purpose: purposeOf(session),
    ...(reason && { reason }),
    ...merchantLabel(session.merchant_id),
  });
}

function purposeOf({ subscription_id: subscriptionId, invoice_id: invoiceId }: SteppingSession): string {
  if (invoiceId) return 'payment_link';
  return subscriptionId === null ? 'purchase' : 'method_change';
}

export interface EndedPayment extends Whose {
  readonly rail: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly off_session: boolean;
}

export function countAttempt(
  payment: EndedPayment,
  outcome: 'succeeded' | 'failed' | 'cancelled',
  code: string | null,
): void {
  const common = {
    rail: payment.rail ?? 'none',
    environment: payment.environment,
    source: payment.off_session ? 'renewal' : 'session',
    ...merchantLabel(payment.merchant_id),
  };
  attempts.add(1, { ...common, outcome, ...(code && { code }) });
  if (outcome === 'succeeded') amounts.add(payment.amount, { ...common, currency: payment.currency });
}
