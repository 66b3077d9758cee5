/**
 * The checker of the fault harness finds planted faults in the records of a real run.
 * @reads test/faults/checker/fixtures
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../../../sandbox/stack/core/directories.ts';
import { check } from '../check.ts';
import { PLANTED_FAULTS } from '../planted-code.ts';
import type { Records } from '../records.ts';
import { PLANTED } from './all.ts';
import { type Copy, found } from './copy.ts';

const file = join(import.meta.dirname, '../fixtures/run.json');
const records = JSON.parse(readFileSync(file, 'utf8')) as Records;

test('no violation is found in the records of a correct run', () => {
  expect(check(records)).toEqual([]);
});

test('a void draft needs neither a number nor an event', () => {
  const voided = (copy: Copy, status: string) => {
    const [invoice] = copy.invoices;
    const draft = { id: 'ap_inv_draft', number: null, order_id: null, amount_due: 0, status };
    if (invoice) copy.invoices.push({ ...invoice, ...draft });
  };
  expect(found(records, (copy) => voided(copy, 'void'))).toEqual([]);
  expect(found(records, (copy) => voided(copy, 'uncollectible'))).not.toEqual([]);
});

test.each(PLANTED)('the checker finds %s', (_name, promise, damage) => {
  expect(found(records, damage)).toContain(promise);
});

test.each(PLANTED_FAULTS)('$name can be planted in the code', ({ file, find }) => {
  expect(readFileSync(join(PROJECT_DIR, file), 'utf8').split(find)).toHaveLength(2);
});

/** Sends an attempt of the records to the rail again. */
function again(copy: Copy): Copy['requests'][number] {
  const call = copy.requests.find(({ operation }) => operation === 'authorize');
  if (!call) throw new Error('the records have no charge');
  const repeated = { ...call };
  copy.requests.push(repeated);
  return repeated;
}

const SENT_TWICE = 'no attempt is sent to the rail twice';

test('an attempt is sent again only if the rail was busy', () => {
  expect(found(records, again)).toEqual([SENT_TWICE]);
  expect(found(records, (copy) => void Object.assign(again(copy), { busy: true }))).toEqual([]);
});

test('a connection that repeats its data excuses two calls of an attempt, not three', () => {
  const during = (copy: Copy, what: string, calls: number) => {
    const sent = Array.from({ length: calls - 1 }, () => again(copy));
    const at = sent[0]?.at ?? '';
    copy.faults.push({ kind: 'a connection repeats its data', what, at, until: at });
    return sent;
  };
  const link = 'worker to the rail';
  expect(found(records, (copy) => void during(copy, link, 2))).toEqual([]);
  expect(found(records, (copy) => void during(copy, link, 3))).toEqual([SENT_TWICE]);
  expect(found(records, (copy) => void during(copy, 'rail to API', 2))).toEqual([SENT_TWICE]);
  const [late, tooLate] = [1_000, 3_000].map((ms) => (copy: Copy) => {
    for (const call of during(copy, link, 2)) call.at = new Date(Date.parse(call.at) + ms).toISOString();
  });
  expect(late && found(records, late)).toEqual([]);
  expect(tooLate && found(records, tooLate)).toEqual([SENT_TWICE]);
  // One copy was rejected as busy, the other was not. The service repeats its call, and the repeat is duplicated too.
  expect(
    found(records, (copy) => void Object.assign(during(copy, link, 4)[0] ?? {}, { busy: true })),
  ).toEqual([]);
});

test('a call lost in a restore may be resent only after a look-up', () => {
  const forget = (copy: Copy, isLookedUp: boolean) => {
    const second = again(copy);
    const { at } = second;
    const after = (ms: number) => new Date(Date.parse(at) + ms).toISOString();
    copy.restores.push({ target: at, at });
    second.at = after(60_000);
    copy.requests = copy.requests.filter(
      ({ operation, reference }) => operation !== 'lookup' || reference !== second.reference,
    );
    if (isLookedUp) copy.requests.push({ ...second, operation: 'lookup', at: after(59_000) });
  };
  expect(found(records, (copy) => forget(copy, true))).toEqual([]);
  expect(found(records, (copy) => forget(copy, false))).toEqual([SENT_TWICE]);
});

test('a charge lost in a restore is excused only if the rail has none', () => {
  const lost = { target: '2000-01-01T00:00:00.000Z', at: '2100-01-01T00:00:00.000Z' };
  const forget = (copy: Parameters<Parameters<typeof found>[1]>[0], kept: boolean) => {
    copy.restores.push(lost);
    const charges = copy.ledger.filter(({ amount }) => amount > 0);
    const moved = new Set(charges.map(({ reference }) => reference));
    const session = copy.sessions.find(({ payment_id }) => moved.has(payment_id ?? '') === kept);
    copy.sessions = copy.sessions.filter((each) => each !== session);
    if (kept) copy.payments = copy.payments.filter(({ id }) => id !== session?.payment_id);
    // A restored service repeats deliveries that it had not recorded.
    copy.received.push(...copy.received.map((each) => ({ ...each, at: lost.at.replace('2100', '2101') })));
  };
  expect(found(records, (copy) => forget(copy, false))).toEqual([]);
  expect(found(records, (copy) => forget(copy, true))).toContain('every charge is known');
});

const TWICE = 'at most one charge per session and period';

test('a late payment for a period is not a second charge for the next period', () => {
  const pay = (copy: Copy, times: number, lastId = `ap_pay_late${times - 1}`) => {
    const renewed = copy.received.find(({ type, rawBody }) => {
      const isOfActive = rawBody.includes('"status":"active"');
      return type === 'payment.succeeded' && isOfActive && rawBody.includes('"invoice"');
    });
    if (!renewed) throw new Error('the records have no paid period');
    const { id, current_period_end: end } = JSON.parse(renewed.rawBody).subscription;
    const before = renewed.rawBody.replace(end, '2020-01-01T00:00:00.000Z');
    copy.received.push({ ...renewed, eventId: 'evt_open', type: 'subscription.updated', rawBody: before });
    copy.events.push({
      id: 'evt_open',
      type: 'subscription.updated',
      recorded_at: renewed.at,
      deliveries: [],
    });
    const [payment] = copy.payments.filter((each) => renewed.rawBody.includes(each.id));
    const charge = copy.ledger.find(({ reference }) => reference === payment?.id);
    if (!payment || !charge) throw new Error(`the records have no charge of ${id}`);
    for (let n = 0; n < times; n++) {
      const late = n === times - 1 ? lastId : `ap_pay_late${n}`;
      copy.payments.push({ ...payment, id: late, order_id: `ap_ord_late${n}` });
      copy.ledger.push({ ...charge, reference: late });
      const rawBody = renewed.rawBody.replaceAll(payment.id, late);
      copy.received.push({ ...renewed, eventId: `evt_late${n}`, rawBody });
    }
  };
  expect(found(records, (copy) => pay(copy, 1))).not.toContain(TWICE);
  expect(found(records, (copy) => pay(copy, 2))).toContain(TWICE);
  const listWithoutRow = (copy: Copy, id: string) => {
    pay(copy, 2, id);
    copy.payments = copy.payments.filter((each) => each.id !== id);
    copy.incidents.push({ kind: 'not_in_database', id, payment_id: null, reason: '' });
  };
  const idAt = (instant: string) => `ap_pay_${Date.parse(instant).toString(16).padStart(12, '0')}7001`;
  expect(found(records, (copy) => listWithoutRow(copy, idAt('2020-01-15T00:00:00.000Z')))).not.toContain(
    TWICE,
  );
  const renewal = idAt('2020-01-01T00:00:00.000Z');
  expect(found(records, (copy) => listWithoutRow(copy, renewal))).toContain(TWICE);
});

test('data sent after the old server had stopped counts as committed in the restored database', () => {
  const lose = (copy: Copy, sentAfterMs: number) => {
    const created = copy.exchanges.find(({ path, status }) => path === '/v1/checkouts' && status === 201);
    const { id } = JSON.parse(created?.answer ?? '{}') as { id: string };
    if (!created || !id) throw new Error('the records have no session');
    const target = Date.parse(copy.endedAt);
    const after = (ms: number) => new Date(target + ms).toISOString();
    copy.restores.push({ target: after(0), stoppedAt: after(1_000), at: after(20_000) });
    const answer = (created.answer ?? '').replaceAll(id, 'ap_chk_missing');
    const times = { sentAt: after(sentAfterMs), answeredAt: after(21_000) };
    copy.exchanges.push({ ...created, ...times, key: null, answer });
  };
  expect(found(records, (copy) => lose(copy, 500))).toEqual([]);
  expect(found(records, (copy) => lose(copy, 5_000))).toEqual(['a 2xx response stays true']);
});

test('a different response under a key is excused only if the earlier response was lost', () => {
  const repeat = (copy: Copy, isFirstLost: boolean) => {
    const first = copy.exchanges.find(
      ({ key, path, status }) => key && path === '/v1/refunds' && status === 201,
    );
    if (!first) throw new Error('the records have no keyed refund');
    const after = (ms: number) => new Date(Date.parse(first.answeredAt) + ms).toISOString();
    const lost = { target: after(isFirstLost ? -1_000 : 1_000), at: after(isFirstLost ? 500 : 3_000) };
    copy.restores.push(lost);
    const times = { sentAt: after(1_500), answeredAt: after(2_000) };
    copy.exchanges.push({ ...first, ...times, answer: (first.answer ?? '').replace('"id":"', '"id":"x') });
  };
  const EQUAL = 'equal requests get one response';
  expect(found(records, (copy) => repeat(copy, true))).not.toContain(EQUAL);
  expect(found(records, (copy) => repeat(copy, false))).toContain(EQUAL);
});

test('a charge in doubt may stay open if it is listed after a restore', () => {
  const doubt = (copy: Copy, isListed: boolean) => {
    const about = { payment_id: 'ap_pay_other', reason: 'another amount' };
    copy.incidents.push({ ...about, kind: 'reconciliation_required', id: 'ap_sub_doubted' });
    if (isListed) copy.incidents.push({ ...about, kind: 'not_in_database', id: 'ap_pay_other' });
  };
  expect(found(records, (copy) => doubt(copy, true))).toEqual([]);
  const orphaned = (copy: Copy) => {
    doubt(copy, true);
    copy.incidents.push({
      kind: 'orphaned_charge',
      id: 'ap_pay_other',
      payment_id: 'ap_pay_other',
      reason: '',
    });
  };
  expect(found(records, orphaned)).toEqual(['every alert clears']);
  expect(found(records, (copy) => doubt(copy, false))).toEqual(['every alert clears']);
});

test('a refund whose order got another id in a restore is matched by its key', () => {
  const violations = found(records, (copy) => {
    const asked = copy.exchanges.find(({ path, status }) => path === '/v1/refunds' && status === 201);
    const { order_id: orderId, amount } = JSON.parse(asked?.answer ?? '{}');
    const order = copy.orders.find(({ id }) => id === orderId);
    if (!asked || !order) throw new Error('the records have no refund of a known order');
    Object.assign(asked, { body: JSON.stringify({ orderId, amount }) });
    Object.assign(order, { id: 'ap_ord_again' });
  });
  expect(violations).not.toContain('one refund per key');
});

test('a dispute lost in a restore is excused; an earlier one is not', () => {
  const lose = (copy: Copy, afterMs: number) => {
    const [dispute] = copy.railDisputes;
    const target = new Date(Date.parse(dispute?.createdAt ?? '') + afterMs).toISOString();
    copy.restores.push({ target, at: target });
    copy.disputes = copy.disputes.filter(({ payment_id }) => payment_id !== dispute?.reference);
  };
  expect(found(records, (copy) => lose(copy, 30_000))).toEqual([]);
  expect(found(records, (copy) => lose(copy, 90_000))).toEqual(['disputes agree with the rail']);
});

test('a cancellation lost in a restore is adopted or listed, unless Temporal lost it too', () => {
  const UNTRUE = 'a 2xx response stays true';
  const lose = (copy: Copy, more: (id: string) => void = () => {}, sentAfterMs = 0) => {
    const answered = copy.exchanges.find(({ path, status }) => path.endsWith('/cancel') && status === 200);
    const live = copy.subscriptions.find(({ status, cancel_at_period_end, change }) => {
      return status === 'active' && !cancel_at_period_end && change === null;
    });
    if (!answered || !live) throw new Error('the records have no cancellation');
    const at = copy.endedAt;
    copy.restores.push({ target: at, at });
    const after = (ms: number) => new Date(Date.parse(at) + ms).toISOString();
    // The request was committed before the restore, and its answer arrived afterwards.
    const times = { sentAt: after(sentAfterMs), answeredAt: after(sentAfterMs + 2_000) };
    copy.exchanges.push({ ...answered, ...times, path: `/v1/subscriptions/${live.id}/cancel` });
    more(live.id);
  };
  expect(found(records, (copy) => lose(copy))).toContain(UNTRUE);
  const isExcused = (more: (copy: Copy, id: string) => void) =>
    expect(found(records, (copy) => lose(copy, (id) => more(copy, id)))).not.toContain(UNTRUE);
  const list = (copy: Copy, id: string) =>
    copy.incidents.push({ kind: 'not_in_database', id: `${id}:request`, payment_id: null, reason: '' });
  isExcused(list);
  // A request sent after the restore is not lost.
  expect(found(records, (copy) => lose(copy, (id) => list(copy, id), 1))).toContain(UNTRUE);
  const fault = { what: '', at: '', until: '' };
  for (const kind of ['Temporal is restored', 'both are restored'])
    isExcused((copy) => copy.faults.push({ ...fault, kind }));
  isExcused((copy, id) => copy.faults.push({ ...fault, kind: 'a run is reset', what: id }));
});

test('after an undone cancellation, only a lost dispute ends a subscription and leaves its invoice unpaid', () => {
  const stop = (copy: Copy, status: string) => {
    const paid = copy.payments.find(({ order_id }) => invoiceOf(copy, order_id));
    const invoice = invoiceOf(copy, paid?.order_id ?? null);
    const stopped = copy.subscriptions.find(({ id }) => id === invoice?.subscription_id);
    const answered = copy.exchanges.find(({ path, status }) => path.endsWith('/cancel') && status === 200);
    if (!paid || !invoice || !stopped || !answered) throw new Error('the records have no paid subscription');
    copy.exchanges.push({ ...answered, path: `/v1/subscriptions/${stopped.id}/cancel/undo` });
    Object.assign(stopped, { cancel_at_period_end: true, charging_stopped_at: stopped.clock });
    const { reference, ...dispute } = copy.railDisputes[0] ?? {};
    if (!reference) throw new Error('the records have no dispute');
    const own = { ...dispute, id: 'ap_dsp_planted', payment_id: paid.id, status };
    copy.disputes.push(own as Copy['disputes'][number]);
    copy.railDisputes.push({ ...own, reference: paid.id } as Copy['railDisputes'][number]);
    Object.assign(invoice, { status: 'open' });
  };
  const invoiceOf = (copy: Copy, orderId: string | null) =>
    copy.invoices.find(({ order_id, subscription_id }) => {
      const owner = copy.subscriptions.find(
        ({ id, status }) => id === subscription_id && status === 'active',
      );
      return orderId !== null && order_id === orderId && owner;
    });
  const broken = (status: string) => found(records, (copy) => stop(copy, status));
  const both = ['a 2xx response stays true', 'nothing is unfinished past its deadline'];
  expect(both.filter((promise) => broken('won').includes(promise))).toEqual(both);
  expect(both.filter((promise) => broken('lost').includes(promise))).toEqual([]);
});

test('a buyer whose click is never answered is excused once the session is over', () => {
  const UNREPAIRED = 'a retry completes a failed request';
  const fail = (copy: Copy, afterMs: number) => {
    const [session] = copy.sessions;
    const made = copy.exchanges.find(
      ({ status, answer }) => status === 201 && answer?.includes(session?.id ?? ''),
    );
    const click = copy.exchanges.find(({ path }) => path.endsWith('/pay'));
    if (!session || !made || !click) throw new Error('the records have no purchase');
    made.answer = JSON.stringify({ id: session.id, hostedUrl: 'http://127.0.0.1/pay/of-its-own' });
    const answeredAt = new Date(Date.parse(session.expires_at) + afterMs).toISOString();
    copy.exchanges.push({ ...click, path: '/pay/of-its-own/pay', status: 503, answeredAt });
  };
  expect(found(records, (copy) => fail(copy, 1_000))).toEqual([]);
  expect(found(records, (copy) => fail(copy, -1_000))).toEqual([UNREPAIRED]);
});

test('after a restore, invoice numbers continue after the skipped numbers, and none is reused', () => {
  const GAP = 'invoice numbers have no gaps';
  const skip = (copy: Copy, from: number, to: number) => copy.skippedNumbers.push({ year: 2026, from, to });
  const without = (copy: Copy, lost: string) => {
    copy.invoices = copy.invoices.filter(({ number }) => number !== lost);
  };
  const lose = (skipped: boolean) => (copy: Copy) => {
    without(copy, '2026-000001');
    without(copy, '2026-000002');
    if (skipped) skip(copy, 1, 2);
  };
  expect(found(records, lose(false))).toContain(GAP);
  expect(found(records, lose(true))).not.toContain(GAP);
  expect(found(records, (copy) => void skip(copy, 1, 2))).toContain(GAP);
  const give = (copy: Copy) => {
    const lost = copy.invoices.find(({ number }) => number === '2026-000001');
    if (!lost) throw new Error('the records have no such invoice');
    lost.id = 'ap_inv_of_another_sale';
  };
  expect(found(records, give)).toContain(GAP);
});
