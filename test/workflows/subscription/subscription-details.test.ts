/** The details that operators see of a subscription: state, reason, next action. */
import { describe, expect, test } from '@jest/globals';
import type { NextAction, SubscriptionView } from '../../../domain/subscription/subscription-view.ts';
import { describeSubscription as describeOf } from '../../../workflows/subscription/subscription-details.ts';

const PERIOD_END = '2027-02-28T09:00:00.000Z';
const RETRY = '2027-02-02T09:00:00.000Z';

const PAID_UP: SubscriptionView = {
  subscriptionId: 'ap_sub_1',
  planId: 'ap_prod_1',
  amount: 1_400,
  currency: 'EUR',
  status: 'active',
  version: 3,
  currentPeriodEnd: PERIOD_END,
  cancelAtPeriodEnd: false,
  pauseAtPeriodEnd: false,
  isHeld: false,
  openAttempt: null,
  paidByLink: false,
  reconciling: false,
  next: { action: 'boundary', at: PERIOD_END, inMs: 60_000 },
  dunning: null,
  lastFailure: null,
  change: null,
  clockTarget: null,
};
const BOUNDARY: NextAction = { action: 'boundary', at: PERIOD_END, inMs: 60_000 };

const describeSubscription = (view: SubscriptionView, action: NextAction | undefined) =>
  describeOf({ merchantId: 'ap_mer_1', environment: 'sandbox' }, view, action);

describe('the operator sees', () => {
  test('merchant, plan and price, in every run', () => {
    expect(describeSubscription(PAID_UP, BOUNDARY).details).toContain(
      '- Bills 14.00 EUR a period for plan `ap_prod_1` of merchant `ap_mer_1` (sandbox)',
    );
  });

  test('state and next charge of a paid-up subscription', () => {
    const { details, needsOperator, nextActionAt } = describeSubscription(PAID_UP, BOUNDARY);
    expect(details).toContain('**active**: Paid up; renews automatically.');
    expect(details).toContain(`- Next: the next charge at ${PERIOD_END}`);
    expect(needsOperator).toBe(false);
    expect(nextActionAt?.toISOString()).toBe(PERIOD_END);
  });

  test('the dunning step, the failure code and the next retry', () => {
    const { details } = describeSubscription(
      {
        ...PAID_UP,
        status: 'past_due',
        dunning: { step: 1, steps: 4, endsAt: '2027-02-21T09:00:00.000Z' },
        lastFailure: 'insufficient_funds',
      },
      { action: 'charge', at: RETRY, inMs: 1_000 },
    );
    expect(details).toContain('- Dunning: step 1 of 4, ends 2027-02-21T09:00:00.000Z');
    expect(details).toContain('- Last failed charge: `insufficient_funds`');
    expect(details).toContain(`- Next: the oldest unpaid invoice is charged at ${RETRY}`);
  });

  test('a scheduled change, and a cancellation at the end of the period', () => {
    const change = { type: 'plan_change', effectiveAt: PERIOD_END };
    expect(describeSubscription({ ...PAID_UP, change }, BOUNDARY).details).toContain(
      `- Scheduled: plan_change at ${PERIOD_END}`,
    );
    const ending = describeSubscription({ ...PAID_UP, cancelAtPeriodEnd: true }, BOUNDARY);
    expect(ending.details).toContain('- Cancels at the end of the period.');
    expect(ending.details).toContain(`- Next: the period and the subscription end at ${PERIOD_END}`);
  });

  test('that a charge in doubt needs an operator', () => {
    const { details, needsOperator } = describeSubscription(
      {
        ...PAID_UP,
        reconciling: true,
        openAttempt: { attemptId: 'ap_pay_1', called: true },
        pages: { runbook: 'https://runbook.example' },
      },
      { action: 'lookUp', at: null, inMs: 300_000 },
    );
    expect(needsOperator).toBe(true);
    expect(details).toContain('- Open charge: `ap_pay_1`');
    expect(details).toContain('- Next: look up the charge at the rail');
    expect(details).toContain('run the update **resolve**');
    expect(details).toMatch(/^.*\n\n\[What to do\]\(https:\/\/runbook.example\)\n\n- /);
  });

  test('that nothing is scheduled after the end', () => {
    const { details, nextActionAt } = describeSubscription(
      { ...PAID_UP, status: 'cancelled', next: null },
      undefined,
    );
    expect(details).toContain('**cancelled**: Ended.');
    expect(details).toContain('- Next: nothing more');
    expect(nextActionAt).toBeNull();
  });
});
