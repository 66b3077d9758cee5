/**
 * Subscriptions that a restore has stopped, in damaged records of a real run.
 * @reads test/faults/checker/fixtures
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Records } from '../records.ts';
import { type Copy, first, found } from './copy.ts';

const file = join(import.meta.dirname, '../fixtures/run.json');
const records = JSON.parse(readFileSync(file, 'utf8')) as Records;

/** Loses a merchant's request to a subscription in a restore, which lists it. @returns the restore's end */
function loseRequest(copy: Copy, id: string, name: string, before: string): string {
  const answered = first(copy.exchanges, ({ path }) => path.endsWith('/cancel'));
  const at = (ms: number) => new Date(Date.parse(before) - ms).toISOString();
  const request = { sentAt: at(4_000), answeredAt: at(3_000), status: 200, body: '{}' };
  copy.exchanges.push({ ...answered, ...request, path: `/v1/subscriptions/${id}/${name}` });
  copy.restores.push({ target: at(5_000), stoppedAt: at(2_000), at: at(1_000) });
  copy.incidents.push({ kind: 'not_in_database', id: `${id}:request`, payment_id: null, reason: '' });
  return at(1_000);
}

test('a subscription whose cancellation or pause is listed as lost is not charged unless it continues', () => {
  const CHARGED = 'a stopped subscription is not charged';
  const charged = (name: string, more: (copy: Copy, id: string, restoredAt: string) => void = () => {}) =>
    found(records, (copy) => {
      const entry = first(copy.ledger, ({ operation, amount }) => operation === 'chargeStored' && amount > 0);
      const { order_id } = first(copy.payments, ({ id }) => id === entry.reference);
      const id = String(first(copy.invoices, (each) => each.order_id === order_id).subscription_id);
      copy.exchanges = copy.exchanges.filter(({ path }) => !path.includes(`/${id}/plan-change`));
      more(copy, id, loseRequest(copy, id, name, entry.at));
    }).includes(CHARGED);
  expect(['cancel', 'pause', 'resume', 'cancel/undo'].map((name) => charged(name))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const isExcused = (more: Parameters<typeof charged>[1]) => expect(charged('pause', more)).toBe(false);
  isExcused((copy) => void copy.incidents.pop());
  isExcused((copy) => void copy.restores.pop());
  isExcused((copy, id, restoredAt) => {
    const path = `/v1/subscriptions/${id}/resume`;
    copy.exchanges.push({ ...first(copy.exchanges), path, status: 200, answeredAt: `${restoredAt}+` });
  });
});

test('a subscription held in its trial may stay past its period; one that pauses may not', () => {
  const UNFINISHED = 'nothing is unfinished past its deadline';
  const late = (name: string, status: string) =>
    found(records, (copy) => {
      const live = first(copy.subscriptions, ({ current_period_end: end }) => end !== null);
      Object.assign(live, {
        status,
        clock: new Date(Date.parse(live.clock) + 90 * 86_400_000).toISOString(),
      });
      Object.assign(live, { next_charge_at: null, change: null });
      loseRequest(copy, live.id, name, copy.endedAt);
    }).includes(UNFINISHED);
  expect([late('pause', 'trialing'), late('pause', 'active'), late('cancel', 'trialing')]).toEqual([
    false,
    true,
    true,
  ]);
});

test('an active subscription whose charging a lost request has stopped keeps its unpaid invoice', () => {
  const UNFINISHED = 'nothing is unfinished past its deadline';
  const unpaid = (name: string, isListed: boolean, daysLate = 0, isStopped = true) =>
    found(records, (copy) => {
      const live = first(
        copy.subscriptions,
        ({ id, status }) => status === 'active' && copy.invoices.some((each) => each.subscription_id === id),
      );
      const clock = new Date(Date.parse(live.clock) + daysLate * 86_400_000).toISOString();
      const stopped = { charging_stopped_at: isStopped ? live.clock : null };
      Object.assign(live, { clock, next_charge_at: null, change: null, ...stopped });
      Object.assign(
        first(copy.invoices, ({ subscription_id }) => subscription_id === live.id),
        { status: 'open' },
      );
      loseRequest(copy, live.id, name, copy.endedAt);
      if (!isListed) copy.incidents.pop();
    }).includes(UNFINISHED);
  expect([unpaid('plan-change', true), unpaid('cancel', true), unpaid('pause', true, 90)]).toEqual([
    false,
    false,
    false,
  ]);
  expect([unpaid('pause', false), unpaid('cancel', true, 90), unpaid('cancel', true, 0, false)]).toEqual([
    true,
    true,
    true,
  ]);
});
