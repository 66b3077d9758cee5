/** Describes a probe's findings in sentences for the operator. */
import type { UnknownReason } from '../../../domain/payment/attempt.ts';
import type { RailFinding, RailFindingCode } from '../../../domain/payment/rail-finding.ts';
import type { Answer } from '../core/call.ts';

type Values = RailFinding['values'];
const finding =
  (ok: boolean) =>
  (code: RailFindingCode, text: string, values: Values = {}): RailFinding => ({
    ok,
    code,
    values,
    text,
  });
export const good = finding(true);
export const bad = finding(false);

const REASONS: Readonly<Record<UnknownReason, string>> = {
  account_refused: 'the key is wrong or lacks the permission',
  connection_lost: 'the connection to Stripe failed',
  malformed_answer: 'the response was malformed',
  misconfigured: 'Stripe rejected the call',
  other_amount: 'Stripe reports a different amount',
  not_sent: 'Stripe could not be reached',
  busy: 'Stripe was too busy',
  server_error: 'Stripe reported an internal error; try again',
  used_before: 'Stripe has already received this call with different content',
  timeout: 'Stripe did not answer in time',
};

/** Explains why a call failed, without Stripe's own text. */
export function why(answer: Exclude<Answer<unknown>, { kind: 'answer' }>): string {
  switch (answer.kind) {
    case 'unknown':
      return REASONS[answer.reason];
    case 'notPermitted':
      return 'the key lacks the permission';
    case 'refused':
      return answer.detail;
    default:
      return REASONS.misconfigured;
  }
}

/** Returns why a call failed, as our reason code or Stripe's own code. */
export function reasonOf(answer: Exclude<Answer<unknown>, { kind: 'answer' }>): string {
  switch (answer.kind) {
    case 'unknown':
      return answer.reason;
    case 'notPermitted':
      return 'account_refused';
    case 'refused':
      return answer.detail;
    default:
      return 'misconfigured';
  }
}
