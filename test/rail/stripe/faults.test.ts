/** Faults between the adapter and Stripe in each call of an attempt: never a second charge. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RailOutcome } from '../../../rail/outcomes.ts';
import type { AuthorizeRequest } from '../../../rail/requests.ts';
import { eventually } from '../../support/core/eventually.ts';
import {
  AMOUNT_CENTS,
  approvedPayment,
  deadline,
  payment,
  question,
  refundOf,
  storedCharge,
  storedMandate,
} from '../contract/calls.ts';
import { failRefund } from './double/refunds.ts';
import { type StripeWorld, startStripeDriver } from './driver.ts';
import type { Trouble } from './proxy.ts';

let world: StripeWorld;
beforeAll(async () => {
  world = await startStripeDriver();
}, 300_000);
afterAll(() => world?.close());

const CUSTOMER = { method: 'POST', path: /^\/v1\/customers$/ };
const CREATE = { method: 'POST', path: /^\/v1\/(payment|setup)_intents$/ };
const CONFIRM = { method: 'POST', path: /\/confirm$/ };
const CANCEL = { method: 'POST', path: /\/cancel$/ };

/**
 * As the service does after a lost answer: looks up with the stored ids, and cancels an attempt that was
 * never charged.
 */
async function settled(asked: Asked, kept: Kept): Promise<RailOutcome> {
  const call = { ...question(asked), ...kept };
  const found = await world.rail.lookup(call);
  if (found.kind !== 'notFound') return found;
  return world.rail.cancel({ ...call, idempotencyKey: `${asked.reference}:cancel` });
}

type Asked = Pick<AuthorizeRequest, 'account' | 'reference'>;

interface Kept {
  readonly railReference: string | null;
  readonly railCustomer: string | null;
}

const FAULTS: readonly [Trouble, string][] = [
  ['dropBefore', 'connection_lost'],
  ['dropAfter', 'connection_lost'],
  ['serverError', 'server_error'],
  ['truncated', 'malformed_answer'],
  ['garbage', 'malformed_answer'],
  ['slow', 'timeout'],
];

/** The three kinds of attempts with their calls. */
const WAYS = {
  async 'a payment'(values: Values) {
    const request = await payment(world, 'approved', values);
    return { request, cents: [AMOUNT_CENTS], send: () => world.rail.authorize(request) };
  },
  async 'a trial'(values: Values) {
    const trial = { amountCents: 0, saveMandate: true };
    const request = await payment(world, 'approved', { ...values, ...trial });
    return { request, cents: [], send: () => world.rail.authorize(request) };
  },
  async 'a stored charge'(values: Values) {
    const mandate = await storedMandate(world, 'approved');
    const request = storedCharge(world.account, mandate, values);
    return { request, cents: [AMOUNT_CENTS], send: () => world.rail.chargeStored(request) };
  },
};
type Values = Partial<Pick<AuthorizeRequest, 'storeId'>>;

describe.each([
  ['a payment', 'its customer', CUSTOMER],
  ['a payment', 'its creation', CREATE],
  ['a payment', 'its confirmation', CONFIRM],
  ['a trial', 'its creation', CREATE],
  ['a trial', 'its confirmation', CONFIRM],
  ['a stored charge', 'its creation', CREATE],
  ['a stored charge', 'its confirmation', CONFIRM],
] as const)('%s that breaks at %s', (way, _where, place) => {
  test.each(FAULTS)(
    'with %s has an unknown outcome (%s); a look-up decides, and it is charged at most once',
    async (trouble, reason) => {
      const kept: Kept = { railReference: null, railCustomer: null };
      const storeId = async (id: object) => void Object.assign(kept, id);
      const { request, cents, send } = await WAYS[way]({ storeId });
      const over = new AbortController();
      const onStruck = () =>
        over.abort(new DOMException('The deadline of the call has passed.', 'TimeoutError'));
      if (trouble === 'slow') Object.assign(request, { signal: over.signal });
      const late = Promise.withResolvers<void>();
      world.proxy.strike({ ...place, trouble, onStruck, until: late.promise });
      const before = world.proxy.seen.length;
      expect(await send()).toEqual({ kind: 'unknown', reason });
      const struck = world.proxy.seen.slice(before).filter(({ path }) => place.path.test(path));
      expect(struck).toHaveLength(1);

      const outcome = await settled(request, kept);
      late.resolve();
      // A call that arrives after the settlement must not charge.
      if (trouble === 'slow') await eventually(() => expect(struck[0]?.status).not.toBeNull());
      const done = place === CONFIRM && ['dropAfter', 'truncated', 'garbage'].includes(trouble);
      expect(await world.charges(request.reference)).toEqual(done ? cents : []);
      // An intent that Stripe never received cannot be cancelled; without its id, it cannot be charged
      // either.
      const unheardOf =
        place === CUSTOMER || (place === CREATE && ['slow', 'dropBefore', 'serverError'].includes(trouble));
      expect(outcome.kind).toBe(done ? 'approved' : unheardOf ? 'notFound' : 'cancelled');
    },
  );

  test.each(['rateLimited', 'lockTimeout'] as const)(
    'with %s is sent again, and charged once',
    async (trouble) => {
      const { request, cents, send } = await WAYS[way]({});
      world.proxy.strike({ ...place, trouble });
      expect(await send()).toMatchObject({ kind: 'approved' });
      expect(await world.charges(request.reference)).toEqual(cents);
    },
  );
});

describe('a cancel', () => {
  test.each(FAULTS.filter(([trouble]) => trouble !== 'slow'))(
    'broken by %s has an unknown outcome (%s), and can be sent again',
    async (trouble, reason) => {
      const request = await payment(world, 'challenge');
      const outcome = await world.rail.authorize(request);
      if (outcome.kind !== 'challenge') throw new Error(`expected a challenge, got ${outcome.kind}`);
      const call = {
        ...question(request),
        railReference: outcome.railReference,
        railCustomer: null,
        idempotencyKey: `${request.reference}:cancel`,
      };
      world.proxy.strike({ ...CANCEL, trouble });
      expect(await world.rail.cancel({ ...call, signal: deadline() })).toEqual({ kind: 'unknown', reason });
      expect(await world.rail.cancel({ ...call, signal: deadline() })).toMatchObject({ kind: 'cancelled' });
    },
  );

  test('with a stored failure is retried under a new key', async () => {
    const request = await payment(world, 'challenge');
    const outcome = await world.rail.authorize(request);
    if (outcome.kind !== 'challenge') throw new Error(`expected a challenge, got ${outcome.kind}`);
    world.theirs.breakDowns.add(`/v1/payment_intents/${outcome.railReference}/cancel`);
    const { railReference } = outcome;
    const begun = { ...question(request), railReference, railCustomer: null, begunAt: '' };
    const call = () => ({ ...begun, idempotencyKey: `${request.reference}:cancel`, signal: deadline() });
    expect(await world.rail.cancel(call())).toEqual({ kind: 'unknown', reason: 'server_error' });
    expect(await world.rail.cancel(call())).toMatchObject({ kind: 'cancelled' });
  });
});

describe('a refund', () => {
  const REFUND = { method: 'POST', path: /^\/v1\/refunds$/ };

  test.each(FAULTS.filter(([trouble]) => trouble !== 'slow'))(
    'broken by %s has an unknown outcome (%s), and refunds once when sent again with the same key',
    async (trouble, reason) => {
      const { request, railReference } = await approvedPayment(world);
      const refund = refundOf(request, railReference, { amountCents: 700 });
      world.proxy.strike({ ...REFUND, trouble });
      expect(await world.rail.refund(refund)).toEqual({ kind: 'unknown', reason });
      const done = trouble !== 'dropBefore' && trouble !== 'serverError';
      expect(await world.rail.lookupRefund(refund)).toMatchObject({ kind: done ? 'succeeded' : 'notFound' });
      expect(await world.rail.refund(refund)).toMatchObject({ kind: 'succeeded' });
      expect(await world.refunds([refund.reference])).toEqual([700]);
    },
  );

  test('that took effect before a stored failure is found by the retry, not repeated under another key', async () => {
    const { request, railReference } = await approvedPayment(world);
    const refund = refundOf(request, railReference, { amountCents: 300 });
    world.theirs.lateBreakDowns.add('/v1/refunds');
    expect(await world.rail.refund(refund)).toEqual({ kind: 'unknown', reason: 'server_error' });
    expect(await world.rail.refund(refund)).toMatchObject({ kind: 'succeeded' });
    expect(await world.refunds([refund.reference])).toEqual([300]);
  });

  test('with a stored failure is retried under a single new key', async () => {
    const { request, railReference } = await approvedPayment(world);
    const refund = refundOf(request, railReference, { amountCents: 300 });
    world.theirs.breakDowns.add('/v1/refunds');
    expect(await world.rail.refund(refund)).toEqual({ kind: 'unknown', reason: 'server_error' });
    expect(await world.rail.lookupRefund(refund)).toEqual({ kind: 'notFound' });
    const made = await world.rail.refund(refund);
    expect(made).toMatchObject({ kind: 'succeeded' });
    expect(await world.rail.refund(refund)).toEqual(made);
    expect(await world.refunds([refund.reference])).toEqual([300]);
  });

  test('with a stored failure is retried under a single new key, even after an earlier failed refund', async () => {
    const { request, railReference } = await approvedPayment(world);
    const refund = refundOf(request, railReference);
    expect(await world.rail.refund(refund)).toMatchObject({ kind: 'succeeded' });
    failRefund(world.theirs, refund.reference, 'expired_or_canceled_card');
    const second = { ...refund, idempotencyKey: `${refund.idempotencyKey}:2` };
    world.theirs.breakDowns.add('/v1/refunds');
    expect(await world.rail.refund(second)).toEqual({ kind: 'unknown', reason: 'server_error' });
    expect(await world.rail.refund(second)).toMatchObject({ kind: 'succeeded' });
  });
});
