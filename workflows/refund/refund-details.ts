/** A refund's details for operators in Temporal UI. Pure. */
import type { RefundView } from '../../domain/refund/refund.ts';
import { describeLastAnswer, type LastAnswer } from '../core/last-answer.ts';
import { describeLinks } from '../core/subject-links.ts';
import type { RefundWorkflowStatus } from './refund-messages.ts';

export function describeRefund(
  { status, paymentId, reconciling, pages }: RefundView,
  lookups: number,
  lastAnswer?: LastAnswer,
): string {
  const why = reconciling
    ? 'The rail has not reported the outcome. Look-ups continue; if you can see the refund at the rail, run the update ' +
      '**resolve**.'
    : 'The rail is asked until the outcome is known.';
  const first = `**${status}**: refund of payment \`${paymentId}\`.${status === 'pending' ? ` ${why}` : ''}`;
  return [
    first,
    ...describeLinks(pages),
    '',
    `- Look-ups: ${lookups}`,
    ...describeLastAnswer(lastAnswer),
  ].join('\n');
}

export function statusOfRefund(view: RefundView, lookups: number): RefundWorkflowStatus {
  return { status: view.status, paymentId: view.paymentId, needsOperator: view.reconciling, lookups };
}
