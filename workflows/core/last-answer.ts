/** The rail's last answer, shown to operators in Temporal UI. Pure. */
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import type { RefundAnswer } from '../../domain/refund/refund.ts';

/** Kept for this run only: the next run asks the rail again. */
export interface LastAnswer {
  readonly answer: AttemptOutcome | RefundAnswer;
  readonly at: Date;
}

const IN_WORDS = {
  approved: 'approved',
  succeeded: 'succeeded',
  pending: 'not decided yet',
  challenge: 'a 3-D Secure challenge',
  cancelled: 'cancelled',
  notFound: 'not known to the rail',
} as const;

/** A line for the details; empty before the first answer. */
export function describeLastAnswer(last: LastAnswer | undefined): readonly string[] {
  return last ? [`- The rail’s last answer: ${inWords(last.answer)}, at ${last.at.toISOString()}`] : [];
}

function inWords(answer: LastAnswer['answer']): string {
  switch (answer.kind) {
    case 'unknown':
      return `none (\`${answer.reason}\`)`;
    case 'declined':
      return `declined (\`${answer.code}\`)`;
    case 'failed':
      return `failed (\`${answer.code}\`)`;
    default:
      return IN_WORDS[answer.kind];
  }
}
