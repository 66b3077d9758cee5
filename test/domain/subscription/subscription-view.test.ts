import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { beginDunning, dunningEnd } from '../../../domain/subscription/dunning.ts';
import { BILLED_STATUSES, SUBSCRIPTION_STATUSES } from '../../../domain/subscription/subscription.ts';
import {
  announcementAt,
  nextAction,
  nextDue,
  type SubscriptionView,
  scheduleOf,
  type Timetable,
} from '../../../domain/subscription/subscription-view.ts';

const START = '2027-01-01T00:00:00.000Z';
const hour = (hours: number) => new Date(Date.parse(START) + hours * 3_600_000).toISOString();

const PAID: Timetable = {
  status: 'active',
  currentPeriodEnd: hour(100),
  cancelAtPeriodEnd: false,
  collects: false,
  pauseAtPeriodEnd: false,
  isHeld: false,
  isLastPeriod: false,
  resumesAt: null,
  cancelRequestedAt: null,
  hasOpenAttempt: false,
  changePending: false,
  chargeAt: null,
  announceAt: null,
  dunning: null,
  nextPeriodWaits: false,
};

const instant = fc.integer({ min: 0, max: 2_000 }).map(hour);
const timetable: fc.Arbitrary<Timetable> = fc.record({
  status: fc.constantFrom(...SUBSCRIPTION_STATUSES),
  currentPeriodEnd: instant,
  cancelAtPeriodEnd: fc.boolean(),
  collects: fc.boolean(),
  pauseAtPeriodEnd: fc.boolean(),
  isHeld: fc.boolean(),
  isLastPeriod: fc.boolean(),
  resumesAt: fc.option(instant),
  cancelRequestedAt: fc.option(instant),
  hasOpenAttempt: fc.boolean(),
  changePending: fc.boolean(),
  chargeAt: fc.option(instant),
  announceAt: fc.option(instant),
  dunning: fc.option(instant.map((at) => beginDunning(at, [2, 7]))),
  nextPeriodWaits: fc.boolean(),
});

describe('the next due action', () => {
  test('is the end of the period while everything is paid', () => {
    expect(nextDue(PAID)).toEqual({ action: 'boundary', at: hour(100) });
  });

  test('is the next retry or period boundary, whichever comes first', () => {
    const dunning = beginDunning(START, [2, 7]);
    const pastDue: Timetable = { ...PAID, status: 'past_due', dunning, chargeAt: hour(48) };
    expect(nextDue(pastDue)).toEqual({ action: 'charge', at: hour(48) });
    expect(nextDue({ ...pastDue, chargeAt: hour(168) })).toEqual({
      action: 'boundary',
      at: hour(100),
    });
  });

  test('is the retry, even after a boundary, if the next period waits for a payment', () => {
    const dunning = beginDunning(START, [2, 7]);
    const waiting: Timetable = { ...PAID, status: 'past_due', dunning, nextPeriodWaits: true };
    expect(nextDue({ ...waiting, chargeAt: hour(168) })).toEqual({ action: 'charge', at: hour(168) });
    expect(nextDue(waiting)).toEqual({ action: 'giveUp', at: hour(168) });
    expect(nextDue({ ...waiting, hasOpenAttempt: true })).toBeNull();
    expect(nextDue({ ...waiting, cancelAtPeriodEnd: true })).toEqual({ action: 'boundary', at: hour(100) });
    expect(nextDue({ ...waiting, status: 'active', dunning: null })).toEqual({
      action: 'boundary',
      at: hour(100),
    });
  });

  test('is the end of the collection if the next charge is later than both its schedule and its period', () => {
    const dunning = beginDunning(START, [2]);
    const collecting: Timetable = { ...PAID, cancelAtPeriodEnd: true, collects: true, dunning };
    expect(nextDue({ ...collecting, chargeAt: hour(48) })).toEqual({ action: 'charge', at: hour(48) });
    expect(nextDue({ ...collecting, chargeAt: hour(100) })).toEqual({ action: 'charge', at: hour(100) });
    expect(nextDue({ ...collecting, chargeAt: hour(101) })).toEqual({ action: 'giveUp', at: hour(100) });
    const over = { ...collecting, currentPeriodEnd: hour(20), chargeAt: hour(101) };
    expect(nextDue(over)).toEqual({ action: 'giveUp', at: hour(48) });
    expect(nextDue({ ...over, cancelAtPeriodEnd: false, nextPeriodWaits: true, status: 'past_due' })).toEqual(
      {
        action: 'charge',
        at: hour(101),
      },
    );
  });

  test('is the end of the period if a cancelled subscription does not collect what was declined', () => {
    const dunning = beginDunning(START, [2]);
    const cancelled: Timetable = { ...PAID, status: 'past_due', cancelAtPeriodEnd: true, dunning };
    expect(nextDue({ ...cancelled, chargeAt: hour(48) })).toEqual({ action: 'boundary', at: hour(100) });
    expect(nextDue(cancelled)).toEqual({ action: 'boundary', at: hour(100) });
    const postponed: Timetable = { ...cancelled, status: 'active', dunning: null, chargeAt: hour(1) };
    expect(nextDue(postponed)).toEqual({ action: 'charge', at: hour(1) });
  });

  test('is the end of the retry schedule if retries are pointless', () => {
    const dunning = beginDunning(START, [2]);
    expect(nextDue({ ...PAID, status: 'past_due', dunning })).toEqual({ action: 'giveUp', at: hour(48) });
  });

  test('of a paused subscription is the resumption, or the cancellation if requested', () => {
    const paused: Timetable = { ...PAID, status: 'paused' };
    expect(nextDue(paused)).toBeNull();
    expect(nextDue({ ...paused, resumesAt: hour(500) })).toEqual({ action: 'boundary', at: hour(500) });
    const ending = { ...paused, resumesAt: hour(500), cancelAtPeriodEnd: true };
    expect(nextDue(ending)).toEqual({ action: 'boundary', at: hour(100) });
  });

  test('is the beginning of a pause only once nothing is unpaid', () => {
    const pausing: Timetable = { ...PAID, pauseAtPeriodEnd: true };
    expect(nextDue(pausing)).toEqual({ action: 'boundary', at: hour(100) });
    expect(nextDue({ ...pausing, hasOpenAttempt: true })).toBeNull();
    expect(nextDue({ ...pausing, chargeAt: hour(168) })).toEqual({ action: 'charge', at: hour(168) });
    const dunning = beginDunning(START, [2, 7]);
    expect(nextDue({ ...pausing, status: 'past_due', dunning })).toEqual({
      action: 'giveUp',
      at: hour(168),
    });
  });

  test('waits for a change’s charge, which decides the next period’s plan', () => {
    const changing: Timetable = { ...PAID, hasOpenAttempt: true, changePending: true };
    expect(nextDue(changing)).toBeNull();
    expect(nextDue({ ...changing, changePending: false })).toEqual({ action: 'boundary', at: hour(100) });
  });

  test('is the announcement of the charge at the end of the period, if there will be one', () => {
    const asked: Timetable = { ...PAID, announceAt: hour(40) };
    expect(nextDue(asked)).toEqual({ action: 'announce', at: hour(40) });
    expect(nextDue({ ...asked, status: 'trialing' })).toEqual({ action: 'announce', at: hour(40) });
    const boundary = { action: 'boundary', at: hour(100) };
    for (const prevented of [
      { cancelAtPeriodEnd: true },
      { pauseAtPeriodEnd: true },
      { isLastPeriod: true },
      { status: 'past_due' },
    ] as const)
      expect(nextDue({ ...asked, ...prevented })).toEqual(boundary);
    expect(nextDue({ ...asked, hasOpenAttempt: true })).toEqual(boundary);
    expect(nextDue({ ...asked, isLastPeriod: true, hasOpenAttempt: true })).toBeNull();
    expect(nextDue({ ...asked, chargeAt: hour(20) })).toEqual({ action: 'charge', at: hour(20) });
  });

  test.each([
    [2, hour(52)],
    [7, START],
    [0, null],
    [null, null],
  ])(
    'announced %s days before the end of a period of 100 hours, but not before its start, is due at %s',
    (days, at) => {
      expect(announcementAt(START, hour(100), days)).toBe(at);
    },
  );

  test('is null before the subscription begins and once it has ended', () => {
    fc.assert(
      fc.property(timetable, (any) => {
        const billed = (BILLED_STATUSES as readonly string[]).includes(any.status);
        if (!billed) expect(nextDue(any)).toBeNull();
      }),
    );
  });

  test('never charges while a payment is open, and never ends before it is settled', () => {
    fc.assert(
      fc.property(timetable, (any) => {
        const due = nextDue({ ...any, hasOpenAttempt: true });
        expect([undefined, 'boundary']).toContain(due?.action);
        if (any.cancelAtPeriodEnd || any.cancelRequestedAt) expect(due).toBeNull();
      }),
    );
  });

  test('never charges after a requested cancel', () => {
    fc.assert(
      fc.property(timetable, (any) => {
        const due = nextDue({ ...any, cancelRequestedAt: START });
        expect(due?.action).not.toBe('charge');
        expect(due?.action).not.toBe('boundary');
      }),
    );
  });

  test('is nothing while held, except a requested cancel', () => {
    fc.assert(
      fc.property(timetable, (any) => {
        const due = nextDue({ ...any, isHeld: true });
        expect([undefined, any.cancelRequestedAt ? 'cancel' : undefined]).toContain(due?.action);
      }),
    );
  });

  test('never gives up before the schedule is over, and always exists while the subscription is billed and settled', () => {
    fc.assert(
      fc.property(timetable, fc.constantFrom(...BILLED_STATUSES), (any, status) => {
        const due = nextDue({ ...any, isHeld: false, status, hasOpenAttempt: false });
        const waits = status === 'paused' && any.resumesAt === null && !any.cancelAtPeriodEnd;
        if (!waits) expect(due).not.toBeNull();
        if (due?.action === 'giveUp') expect(any.dunning && due.at >= dunningEnd(any.dunning)).toBe(true);
      }),
    );
  });
});

describe('a moving sandbox clock', () => {
  test('jumps to the next due time before its target, and then to the target', () => {
    expect(scheduleOf(PAID, START, hour(200))).toEqual({ action: 'boundary', at: hour(100), inMs: 0 });
    expect(scheduleOf(PAID, START, hour(50))).toEqual({ action: 'reachTarget', at: hour(50), inMs: 0 });
    expect(scheduleOf(PAID, START, hour(100))).toEqual({ action: 'boundary', at: hour(100), inMs: 0 });
    expect(scheduleOf(PAID, START, null)).toEqual({ action: 'boundary', at: hour(100), inMs: 360_000_000 });
  });

  test('stops while the outcome of a charge is unknown', () => {
    const open: Timetable = { ...PAID, hasOpenAttempt: true };
    expect(scheduleOf(open, START, hour(200))).toMatchObject({ action: 'boundary', inMs: 360_000_000 });
    expect(scheduleOf({ ...open, cancelRequestedAt: START }, START, hour(200))).toBeNull();
  });

  test('stops at the first due time, so that nothing is skipped', () => {
    fc.assert(
      fc.property(timetable, instant, instant, (any, now, target) => {
        const moving = scheduleOf({ ...any, hasOpenAttempt: false }, now, target);
        const still = nextDue({ ...any, hasOpenAttempt: false });
        if (still && still.at <= target) expect(moving).toMatchObject({ ...still, inMs: 0 });
        else expect(moving).toEqual({ action: 'reachTarget', at: target, inMs: 0 });
      }),
    );
  });
});

describe("the workflow's next action", () => {
  const view = (next: SubscriptionView['next'], open: boolean): SubscriptionView => ({
    subscriptionId: 'ap_sub_1',
    status: 'active',
    version: 1,
    currentPeriodEnd: hour(100),
    cancelAtPeriodEnd: false,
    pauseAtPeriodEnd: false,
    isHeld: false,
    openAttempt: open ? { attemptId: 'ap_pay_1', called: true } : null,
    paidByLink: false,
    reconciling: false,
    next,
    dunning: null,
    change: null,
    clockTarget: null,
    lastFailure: null,
    planId: 'ap_prod_1',
    amount: 900,
    currency: 'EUR',
  });
  const timings = { reconcileSeconds: [2, 5], reconcileLongSeconds: [300] };
  const boundary = (inMs: number) => ({ action: 'boundary' as const, at: hour(100), inMs });

  test('is immediate if work is due, and otherwise waits at least a second', () => {
    expect(nextAction(view(boundary(0), false), 0, timings)).toMatchObject({ inMs: 0 });
    expect(nextAction(view(boundary(3), false), 0, timings)).toMatchObject({ inMs: 1_000 });
  });

  test('includes scheduled look-ups without missing a boundary', () => {
    expect(nextAction(view(boundary(60_000), true), 1, timings)).toMatchObject({
      action: 'lookUp',
      inMs: 5_000,
    });
    expect(nextAction(view(boundary(60_000), true), 9, timings)).toMatchObject({
      action: 'boundary',
      inMs: 60_000,
    });
    expect(nextAction(view(null, true), 9, timings)).toMatchObject({
      action: 'lookUp',
      inMs: 300_000,
    });
    expect(nextAction(view(boundary(5_000), true), 1, timings)).toMatchObject({
      action: 'boundary',
    });
  });

  test('includes no look-up while no charge is open', () => {
    expect(nextAction(view(boundary(1e9), false), 9, timings)).toMatchObject({
      action: 'boundary',
      inMs: 1e9,
    });
  });

  test('throws if nothing is due, which no state allows', () => {
    expect(() => nextAction(view(null, false), 0, timings)).toThrow('nothing is due');
  });
});

test('at the same instant an unpaid invoice is charged before the next period begins', () => {
  const at = '2027-01-31T00:00:00.000Z';
  const unpaid = { status: 'past_due', currentPeriodEnd: at, chargeAt: at, dunning: null } as const;
  const timetable = {
    ...unpaid,
    cancelAtPeriodEnd: false,
    pauseAtPeriodEnd: false,
    isHeld: false,
    isLastPeriod: false,
    resumesAt: null,
    cancelRequestedAt: null,
    collects: false,
    hasOpenAttempt: false,
    changePending: false,
    announceAt: null,
    nextPeriodWaits: false,
  };
  expect(nextDue(timetable)).toEqual({ action: 'charge', at });
});
