/** A subscription's details for operators in Temporal UI. Pure. */

import { plainAmount } from '../../domain/core/money.ts';
import type { NextAction, SubscriptionView } from '../../domain/subscription/subscription-view.ts';
import { describeLastAnswer, type LastAnswer } from '../core/last-answer.ts';
import { describeLinks } from '../core/subject-links.ts';
import type { SubscriptionInput } from './subscription-messages.ts';

const STATUS_IN_WORDS: Readonly<Record<SubscriptionView['status'], string>> = {
  incomplete: 'Waiting for the first payment.',
  trialing: 'In its free trial.',
  active: 'Paid up; renews automatically.',
  past_due:
    'A charge failed. It is retried, or waits for a new payment method, until the dunning schedule ends.',
  cancelled: 'Ended.',
  expired: 'Never started: its checkout failed.',
  paused: 'Paused: nothing is charged until it resumes.',
};

const ACTION_IN_WORDS: Readonly<Record<NextAction['action'], string>> = {
  boundary: 'the period or the pause ends',
  charge: 'the oldest unpaid invoice is charged',
  giveUp: 'dunning ends: the subscription is cancelled and its unpaid invoices are written off',
  cancel: 'the requested cancellation',
  announce: 'the coming charge is announced to the merchant',
  reachTarget: 'the sandbox clock reaches its target',
  lookUp: 'look up the charge at the rail',
  reload: 'a buyer is paying an invoice through a payment link: read the row again',
};

type Owner = Pick<SubscriptionInput, 'merchantId' | 'environment'>;

export interface ShownSubscription {
  readonly details: string;
  readonly needsOperator: boolean;
  readonly nextActionAt: Date | null;
}

/**
 * Repeats the static details, which only the first run has.
 * @param next what the workflow waits for; undefined once the workflow has ended, or during a pause without a date
 */
export function describeSubscription(
  owner: Owner,
  view: SubscriptionView,
  next: NextAction | undefined,
  lastAnswer?: LastAnswer,
): ShownSubscription {
  const withoutAction = view.isHeld
    ? 'an operator’s decision about a request that a restore lost'
    : view.status === 'paused'
      ? 'a request to resume'
      : 'nothing more';
  const waitingFor = next ? waitingForWhat(view, next) : withoutAction;
  return {
    details: linesOf(owner, view, { next, waitingFor, lastAnswer }).join('\n'),
    needsOperator: view.reconciling,
    nextActionAt: next && view.next ? new Date(view.next.at) : null,
  };
}

function waitingForWhat(view: SubscriptionView, next: NextAction): string {
  if (next.action !== 'boundary') return ACTION_IN_WORDS[next.action];
  if (view.cancelAtPeriodEnd) return 'the period and the subscription end';
  if (view.pauseAtPeriodEnd) return 'the period ends, and the pause begins';
  return view.status === 'past_due' ? 'the next period begins; its invoice waits' : 'the next charge';
}

function billsWhat(
  { merchantId, environment }: Owner,
  { amount, currency, planId }: SubscriptionView,
): string {
  const price = plainAmount(amount, currency);
  return `Bills ${price} a period for plan \`${planId}\` of merchant \`${merchantId}\` (${environment})`;
}

interface Shown {
  readonly next: NextAction | undefined;
  readonly waitingFor: string;
  readonly lastAnswer: LastAnswer | undefined;
}

function linesOf(owner: Owner, view: SubscriptionView, { next, waitingFor, lastAnswer }: Shown): string[] {
  const lines = [
    `**${view.status}**: ${STATUS_IN_WORDS[view.status]}`,
    ...describeLinks(view.pages),
    '',
    `- ${billsWhat(owner, view)}`,
    `- Current period ends: ${view.currentPeriodEnd ?? 'never'}`,
    `- Next: ${waitingFor}${next?.at ? ` at ${next.at}` : ''}`,
    `- Open charge: ${view.openAttempt ? `\`${view.openAttempt.attemptId}\`` : 'none'}`,
    ...describeLastAnswer(lastAnswer),
  ];
  const { dunning, change } = view;
  if (dunning) lines.push(`- Dunning: step ${dunning.step} of ${dunning.steps}, ends ${dunning.endsAt}`);
  if (view.lastFailure) lines.push(`- Last failed charge: \`${view.lastFailure}\``);
  if (change) lines.push(`- Scheduled: ${change.type} at ${change.effectiveAt}`);
  if (view.cancelAtPeriodEnd) lines.push('- Cancels at the end of the period.');
  else if (view.pauseAtPeriodEnd) lines.push('- Pauses at the end of the period, once nothing is unpaid.');
  if (view.clockTarget) lines.push(`- Sandbox clock is advancing to ${view.clockTarget}`);
  if (view.reconciling) {
    lines.push(
      '',
      'The rail gave no answer within the quick look-ups. The customer may have been charged. Look-ups continue; ' +
        'if you can see the charge at the rail, run the update **resolve**.',
    );
  }
  return lines;
}
