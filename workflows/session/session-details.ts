/** A session's details for operators in Temporal UI. Pure. */
import type { NextAction, SessionView } from '../../domain/session/session.ts';
import { describeLastAnswer, type LastAnswer } from '../core/last-answer.ts';
import { describeLinks } from '../core/subject-links.ts';

export interface ShownSession {
  readonly details: string;
  readonly needsOperator: boolean;
  /** Null if nothing is due. */
  readonly nextActionAt: Date | null;
}

const STATE_IN_WORDS: Readonly<Record<SessionView['state'], string>> = {
  created: 'Waiting for the buyer to pay.',
  processing: 'A payment is in progress; its outcome is being looked up at the rail.',
  requires_action: 'The buyer is in the 3-D Secure challenge.',
  succeeded: 'Paid.',
  failed: 'Ended without payment.',
  reconciliation_required:
    'The rail gave no answer within the quick look-ups. The buyer may have been charged. Look-ups continue; ' +
    'if you can see the charge at the rail, run the update **resolve**.',
};

const ACTION_IN_WORDS: Readonly<Record<NextAction['action'], string>> = {
  expire: 'the session expires',
  lookUp: 'look up the payment at the rail',
  endAttempt: 'the open attempt is looked up and, if it is still open, cancelled at the rail',
};

export function describeSession(
  view: SessionView,
  next: NextAction | undefined,
  nowMs: number,
  lastAnswer?: LastAnswer,
): ShownSession {
  const nextActionAt = next ? new Date(nowMs + next.inMs) : null;
  const waitingFor = next ? ACTION_IN_WORDS[next.action] : 'nothing more';
  const lines = [
    `**${view.state}**${view.failureReason ? ` (${view.failureReason})` : ''}: ${STATE_IN_WORDS[view.state]}`,
    ...describeLinks(view.pages),
    '',
    `- Next: ${waitingFor}${nextActionAt ? ` at ${nextActionAt.toISOString()}` : ''}`,
    `- Attempts: ${view.attempts} of ${view.maxAttempts}`,
    `- Open payment: ${view.openAttempt ? `\`${view.openAttempt.attemptId}\` (${view.openAttempt.status})` : 'none'}`,
    ...describeLastAnswer(lastAnswer),
    `- Expires: ${view.expiresAt}`,
  ];
  if (view.cancelRequested) lines.push('- The buyer requested to cancel the session.');
  return {
    details: lines.join('\n'),
    needsOperator: view.state === 'reconciliation_required',
    nextActionAt,
  };
}
