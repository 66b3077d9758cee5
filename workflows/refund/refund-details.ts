/** A refund's details for operators in Temporal UI. Pure. */
import type { RefundView } from '../../domain/refund.ts';
import type { RefundWorkflowStatus } from './refund-messages.ts';

export function describeRefund({ status, paymentId, reconciling }: RefundView, lookups: number): string {
  const why = reconciling
    ? 'The rail has not reported the outcome. Look-ups continue; if you can see the refund at the rail, run the update ' +
      '**resolve**.'
    : 'The rail is looked up until the outcome is known.';
  return `**${status}**: refund of payment \`${paymentId}\`.${status === 'pending' ? ` ${why}` : ''}\n\n- Look-ups: ${lookups}`;
}

export function statusOfRefund(view: RefundView, lookups: number): RefundWorkflowStatus {
  return { status: view.status, paymentId: view.paymentId, needsOperator: view.reconciling, lookups };
}
