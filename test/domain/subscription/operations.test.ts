/** @reads docs/subscriptions.md */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ERRORS } from '../../../contract/core/errors.ts';
import {
  OPERATION_FACTS,
  type OperableSubscription,
  refusalIn,
  refusalOf,
  SUBSCRIPTION_OPERATIONS,
  waitIn,
  waitsForCharge,
} from '../../../domain/subscription/operations.ts';
import { SUBSCRIPTION_STATUSES } from '../../../domain/subscription/subscription.ts';
import { withOperationsTable } from '../../../tools/docs/operations-table.ts';

const AT = '2026-03-01T00:00:00.000Z';
const ACTIVE: OperableSubscription = {
  status: 'active',
  changePending: false,
  changeScheduled: false,
  chargingStopped: false,
  cancelRequestedAt: null,
  cancelAtPeriodEnd: false,
  collects: false,
  hasUnpaid: false,
  pauseAtPeriodEnd: false,
  isLastPeriod: false,
  chargeOpen: false,
  currentPeriodEnd: AT,
  now: '2026-02-28T23:59:59.999Z',
};

test('the documented table of operations matches the domain', () => {
  const document = readFileSync(new URL('../../../docs/subscriptions.md', import.meta.url), 'utf8');
  expect(withOperationsTable(document)).toBe(document);
  expect(document).toContain('| `cancel/undo` |');
});

test('the API answers every refusal with 409', () => {
  for (const operation of SUBSCRIPTION_OPERATIONS) {
    for (const state of [...SUBSCRIPTION_STATUSES, ...OPERATION_FACTS]) {
      const refusal = refusalIn(operation, state);
      if (refusal) expect(ERRORS[refusal].status).toBe(409);
    }
  }
});

test('a cancellation at the end of the period can be undone only before that instant', () => {
  const ending = { ...ACTIVE, cancelAtPeriodEnd: true };
  expect(refusalOf('undoCancel', ending)).toBeNull();
  expect(refusalOf('undoCancel', { ...ending, now: AT })).toBe('subscription_cancel_scheduled');
  expect(refusalOf('undoCancel', { ...ending, cancelRequestedAt: AT })).toBe('subscription_cancel_scheduled');
  expect(refusalOf('undoCancel', { ...ending, chargingStopped: true })).toBe('subscription_charging_stopped');
  expect(refusalOf('undoCancel', ACTIVE)).toBe('subscription_cancel_not_scheduled');
});

test('a cancelled subscription that is still collecting after its period accepts payments and a new method but no changes', () => {
  const collecting = { ...ACTIVE, cancelAtPeriodEnd: true, collects: true, hasUnpaid: true, now: AT };
  // An invoice may be unpaid without a decline.
  for (const status of ['past_due', 'active'] as const) {
    const allowed = SUBSCRIPTION_OPERATIONS.filter(
      (operation) => refusalOf(operation, { ...collecting, status }) === null,
    );
    expect(allowed).toEqual([
      'cancel',
      'cancelChange',
      'payInvoice',
      'linkInvoice',
      'changeMethod',
      'advanceClock',
    ]);
  }
  expect(refusalOf('pause', collecting)).toBe('subscription_cancel_scheduled');
  // Once the invoice is paid, the subscription is due to end.
  expect(refusalOf('payInvoice', { ...collecting, hasUnpaid: false })).toBe('subscription_cancel_scheduled');
});

test('a refusal for the status takes precedence over one for a scheduled change', () => {
  const changing = { ...ACTIVE, changeScheduled: true };
  expect(refusalOf('cancel', changing)).toBe('subscription_change_scheduled');
  expect(refusalOf('cancel', { ...changing, status: 'cancelled' })).toBe('subscription_finished');
  expect(refusalOf('scheduleChange', { ...ACTIVE, cancelAtPeriodEnd: true })).toBe(
    'subscription_cancel_scheduled',
  );
});

test('pausing is refused in a trial and in dunning; resuming is refused without a pause', () => {
  expect(refusalOf('pause', ACTIVE)).toBeNull();
  expect(refusalOf('pause', { ...ACTIVE, status: 'trialing' })).toBe('subscription_trialing');
  expect(refusalOf('pause', { ...ACTIVE, status: 'past_due' })).toBe('subscription_past_due');
  expect(refusalOf('pause', { ...ACTIVE, cancelAtPeriodEnd: true })).toBe('subscription_cancel_scheduled');
  expect(refusalOf('resume', ACTIVE)).toBe('subscription_not_paused');
  for (const pausing of [{ pauseAtPeriodEnd: true }, { status: 'paused' as const }]) {
    expect(refusalOf('resume', { ...ACTIVE, ...pausing })).toBeNull();
    expect(refusalOf('pause', { ...ACTIVE, ...pausing })).toBeNull();
    expect(refusalOf('cancel', { ...ACTIVE, ...pausing })).toBeNull();
    expect(refusalOf('scheduleChange', { ...ACTIVE, ...pausing })).toBe('subscription_paused');
  }
});

test('a trial can be moved unless its subscription is set to end', () => {
  const trial = { ...ACTIVE, status: 'trialing' as const };
  expect(refusalOf('moveTrial', trial)).toBeNull();
  expect(refusalOf('moveTrial', { ...trial, changeScheduled: true })).toBeNull();
  expect(refusalOf('moveTrial', { ...trial, cancelAtPeriodEnd: true })).toBe('subscription_cancel_scheduled');
  for (const status of ['active', 'past_due', 'paused'] as const)
    expect(refusalOf('moveTrial', { ...ACTIVE, status })).toBe('subscription_not_trialing');
});

test('in the last billing cycle, a change can be immediate but not scheduled for the end of the period', () => {
  const last = { ...ACTIVE, isLastPeriod: true };
  expect(refusalOf('scheduleChange', last)).toBe('subscription_cancel_scheduled');
  expect(refusalOf('pause', last)).toBe('subscription_cancel_scheduled');
  expect(refusalOf('undoCancel', last)).toBe('subscription_cancel_not_scheduled');
  expect(refusalOf('changeNow', last)).toBeNull();
  expect(refusalOf('cancel', last)).toBeNull();
});

test('while a change is being charged, every operation except advancing the clock is refused', () => {
  for (const operation of SUBSCRIPTION_OPERATIONS) {
    const status = operation === 'moveTrial' ? 'trialing' : 'active';
    const refusal = refusalOf(operation, { ...ACTIVE, status, changePending: true });
    expect(refusal).toBe(operation === 'advanceClock' ? null : 'subscription_change_scheduled');
  }
});

test('each cell of an operation that waits states what it waits for', () => {
  const waits = SUBSCRIPTION_OPERATIONS.flatMap((operation) =>
    [...SUBSCRIPTION_STATUSES, ...OPERATION_FACTS].flatMap((state) => {
      const wait = waitIn(operation, state);
      if (!wait) return [];
      expect(refusalIn(operation, state)).toBeNull();
      return `${operation} ${state}: ${wait}`;
    }),
  );
  expect(waits).toEqual([
    'cancel chargeOpen: openCharge',
    'pause active: periodEnd',
    'scheduleChange trialing: periodEnd',
    'scheduleChange active: periodEnd',
    'scheduleChange past_due: periodEnd',
    'changeNow active: ownCharge',
    'payInvoice chargeOpen: joinedCharge',
    'linkInvoice chargeOpen: openCharge',
    'changeMethod chargeOpen: openCharge',
    'advanceClock changePending: openCharge',
    'advanceClock chargeOpen: openCharge',
  ]);
  const document = readFileSync(new URL('../../../docs/subscriptions.md', import.meta.url), 'utf8');
  const [, cancel = ''] = /^(\| `cancel` .*)$/m.exec(document) ?? [];
  expect(cancel).toContain('| yes, once the charge is settled |');
});

test('an open charge postpones a cancellation and refuses a change now', () => {
  const charging = { ...ACTIVE, chargeOpen: true };
  expect(refusalOf('cancel', charging)).toBeNull();
  expect(waitsForCharge('cancel', charging)).toBe(true);
  expect(waitsForCharge('cancel', ACTIVE)).toBe(false);
  expect(waitsForCharge('pause', charging)).toBe(false);
  expect(refusalOf('changeNow', charging)).toBe('subscription_charge_pending');
  expect(refusalOf('changeNow', { ...charging, cancelAtPeriodEnd: true })).toBe(
    'subscription_cancel_scheduled',
  );
});
