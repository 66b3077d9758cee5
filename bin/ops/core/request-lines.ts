import type { OperatorRequest } from '../../../contract/operations/requests.ts';
import { plainAmount } from '../../../domain/core/money.ts';

/** The complete request that a second person confirms. */
export function requestLines(request: OperatorRequest): readonly string[] {
  const { command, subject_id: id, outcome, amount, currency, payment_id: payment } = request;
  return [
    `command: ${command} ${id}${outcome ? ` as ${outcome}` : ''}`,
    `amount: ${currency ? plainAmount(amount, currency) : '-'}${payment ? ` of ${payment}` : ''}`,
    `reason: ${request.reason ?? '-'}`,
    `evidence: ${request.evidence ?? '-'}`,
    `requested by: ${request.asked_by}`,
  ];
}
