/** Ways to cancel a subscription that the dashboard offers. */
import { expect, test } from '@jest/globals';
import { waysToCancel } from '../../dashboard/app/billing/ways-to-cancel.ts';

const active = { status: 'active', cancel_at_period_end: false } as const;

test('a paused subscription can only be cancelled immediately, whoever cancels it', () => {
  expect(waysToCancel({ ...active, status: 'paused' }, true)).toEqual(['now']);
  expect(waysToCancel({ ...active, status: 'paused' }, false)).toEqual(['now']);
});

test('other subscriptions end with their period; only a person with permission may cancel immediately', () => {
  expect(waysToCancel(active, true)).toEqual(['end', 'now']);
  expect(waysToCancel(active, false)).toEqual(['end']);
  expect(waysToCancel({ ...active, cancel_at_period_end: true }, true)).toEqual(['now']);
});
