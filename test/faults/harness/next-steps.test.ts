import { expect, test } from '@jest/globals';
import type { Fault, RailRequest, Seen } from '../checker/records.ts';
import { nextSteps } from './next-steps.ts';

const START = Date.parse('2026-11-25T08:00:00.000Z');
const at = (seconds: number) => new Date(START + seconds * 1_000).toISOString();
const seen = (seconds: number, state: string, sessionId = 'ap_chk_1'): Seen => ({
  sessionId,
  at: at(seconds),
  state,
  version: seconds,
});
const fault = (kind: string, what: string, from: number, to: number): Fault => ({
  kind,
  what,
  at: at(from),
  until: at(to),
});
const asked = (seconds: number, reference: string): RailRequest => ({
  operation: 'lookup',
  reference,
  at: at(seconds),
});

const kill = fault('SIGKILL of a worker', 'worker 1', 100, 104);
const records = (given: {
  seen?: readonly Seen[];
  faults?: readonly Fault[];
  requests?: readonly RailRequest[];
}) => ({
  seen: [seen(99, 'processing'), seen(111, 'succeeded')],
  faults: [kill],
  requests: [],
  sessions: [{ id: 'ap_chk_1', order_id: 'ap_ord_1', payment_id: 'ap_pay_2' }] as never,
  payments: [
    { id: 'ap_pay_1', order_id: 'ap_ord_1' },
    { id: 'ap_pay_9', order_id: null },
  ] as never,
  ...given,
});

test('the next step is the page’s next state, or the next call to the rail about one of its payments', () => {
  expect(nextSteps(records({}))).toEqual({ alone: [11_000], beside: [] });
  const requests = [
    asked(98, 'ap_pay_2'),
    asked(103, 'ap_pay_9'),
    asked(108, 'ap_pay_1'),
    asked(109, 'ap_pay_2'),
  ];
  expect(nextSteps(records({ requests })).alone).toEqual([8_000]);
});

test.each([
  ['not processing at the kill', [seen(99, 'requires_action'), seen(111, 'succeeded')]],
  ['paid before the kill', [seen(98, 'processing'), seen(99, 'succeeded')]],
  ['processing for longer than a call may take', [seen(80, 'processing'), seen(111, 'succeeded')]],
  ['not seen after the kill', [seen(99, 'processing')]],
])('a session is not measured if it was %s', (_, views) => {
  expect(nextSteps(records({ seen: views }))).toEqual({ alone: [], beside: [] });
});

test.each([
  ['the other worker is killed too', [fault('SIGKILL of both workers', 'both', 100, 104)]],
  ['another fault is active', [fault('both are restored', 'PostgreSQL', 90, 101), kill]],
  ['another fault begins', [kill, fault('Temporal stops', 'for 12 s', 110, 122)]],
])('the step after a kill is measured separately if %s', (_, faults) => {
  expect(nextSteps(records({ faults }))).toEqual({ alone: [], beside: [11_000] });
});

test('faults before and after the step, and kills of other processes, do not affect the measurement', () => {
  const faults = [
    fault('SIGKILL of an API', 'API 1', 50, 55),
    kill,
    fault('SIGKILL of anything', 'API 2', 112, 118),
  ];
  expect(nextSteps(records({ faults }))).toEqual({ alone: [11_000], beside: [] });
});
