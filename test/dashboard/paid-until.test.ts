/** The text about payments on a subscription's page, in every status and for every reason to wait. */
import { describe, expect, test } from '@jest/globals';
import { exampleSubscriptionDetails } from '../../contract/subscription/details.ts';
import { paidUntil, unpaidText } from '../../dashboard/app/billing/subscription-text.ts';

const END = '2026-03-01T00:00:00.000Z';
const SINCE = '2026-02-01T00:00:00.000Z';
const dunning = {
  unpaid_since: SINCE,
  declines: 1,
  waits_for: 'retry',
  retry_at: '2026-02-08T00:00:00.000Z',
  ends_at: '2026-02-22T00:00:00.000Z',
  failure_code: 'insufficient_funds',
} as const;
const waiting = (facts: object) => unpaidText({ ...dunning, ...facts });

describe('“Paid until” shows only a date that was paid for', () => {
  test.each([
    ['active', null, 'Mar 1, 2026'],
    ['paused', null, 'Mar 1, 2026'],
    ['past_due', dunning, 'Feb 1, 2026'],
    ['trialing', null, null],
    ['incomplete', null, null],
    ['cancelled', null, null],
    ['expired', null, null],
  ] as const)('with status %s', (status, unpaid, text) => {
    const facts = { status, dunning: unpaid, current_period_end: END };
    expect(paidUntil({ ...exampleSubscriptionDetails, request_id: 'req_1', ...facts })).toBe(text);
  });
});

const SINCE_TEXT = 'since Feb 1, 2026.';
const END_TEXT = 'If it stays unpaid, it ends on Feb 22, 2026 at the latest.';

test.each([
  [{}, `One charge has been declined ${SINCE_TEXT} The next charge is on Feb 8, 2026. ${END_TEXT}`],
  [
    { declines: 2 },
    `2 charges have been declined ${SINCE_TEXT} The next charge is on Feb 8, 2026. ${END_TEXT}`,
  ],
  [
    { waits_for: 'charge', retry_at: null },
    `One charge has been declined ${SINCE_TEXT} A charge is under way. ${END_TEXT}`,
  ],
  [
    { waits_for: 'payment_method', retry_at: null },
    `One charge has been declined ${SINCE_TEXT} Nothing is charged until the customer replaces the payment method. ${END_TEXT}`,
  ],
  [
    { waits_for: 'payment_method', retry_at: null, declines: 0 },
    `No charge has been possible ${SINCE_TEXT} Nothing is charged until the customer replaces the payment method. ${END_TEXT}`,
  ],
  [
    { waits_for: 'charge', retry_at: null, declines: 0 },
    `No charge has been possible ${SINCE_TEXT} A charge is under way. ${END_TEXT}`,
  ],
  [
    { waits_for: 'nothing', retry_at: null },
    `One charge has been declined ${SINCE_TEXT} Nothing is charged. ${END_TEXT}`,
  ],
  [
    { waits_for: 'nothing', retry_at: null, ends_at: null },
    `One charge has been declined ${SINCE_TEXT} Nothing is charged.`,
  ],
])('the unpaid subscription %j is explained', (facts, text) => {
  expect(waiting(facts)).toBe(text);
});
