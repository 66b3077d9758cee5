/** Finding an attempt whose id was lost, and ids that Stripe does not know. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { payment, question } from '../contract/calls.ts';
import { type StripeWorld, startStripeDriver } from './driver.ts';

let world: StripeWorld;
beforeAll(async () => {
  world = await startStripeDriver();
}, 300_000);
afterAll(() => world?.close());

/** Records the requests from now on. */
function recording() {
  const before = world.proxy.seen.length;
  return () => world.proxy.seen.slice(before);
}

describe('an attempt', () => {
  test.each(['approved', 'challenge'] as const)(
    'with a lost id is found among its customer’s attempts, in one call for each kind (%s)',
    async (behaviour) => {
      const request = await payment(world, behaviour);
      const outcome = await world.rail.authorize(request);
      for (let others = 0; others < 12; others++)
        await world.rail.authorize(await payment(world, 'approved'));
      const asked = { ...question(request), railReference: null };
      const seen = recording();
      expect(await world.rail.lookup(asked)).toEqual(outcome);
      const [list, ...more] = seen();
      expect(more).toEqual([]);
      const query = new URLSearchParams(list?.path.split('?')[1]);
      expect(query.get('customer')).toBe(asked.railCustomer);
      expect(Number(query.get('created[gte]'))).toBeLessThan(Date.parse(asked.begunAt) / 1_000);
    },
  );

  test.each(['approved', 'challenge'] as const)(
    'that began before payments had a customer is found among all attempts around its time (%s)',
    async (behaviour) => {
      const request = await payment(world, behaviour);
      const outcome = await world.rail.authorize(request);
      for (let others = 0; others < 12; others++)
        await world.rail.authorize(await payment(world, 'declined'));
      const asked = { ...question(request), railReference: null, railCustomer: null };
      expect(await world.rail.lookup(asked)).toEqual(outcome);
    },
  );

  test('has an unknown outcome (misconfigured) if Stripe does not know its customer', async () => {
    const request = await payment(world, 'approved');
    await world.rail.authorize(request);
    const asked = { ...question(request), railReference: null, account: world.otherAccount };
    const unknown = { kind: 'unknown', reason: 'misconfigured', detail: expect.any(String) };
    expect(await world.rail.lookup(asked)).toEqual(unknown);
    const idempotencyKey = `${request.reference}:cancel`;
    expect(await world.rail.cancel({ ...asked, idempotencyKey })).toEqual(unknown);
  });

  test('of another rail account at the same Stripe account is not found', async () => {
    const request = await payment(world, 'approved');
    await world.rail.authorize(request);
    const lost = { ...question(request), railReference: null, railCustomer: null };
    const account = { ...world.account, id: 'ap_rac_another' };
    expect(await world.rail.lookup({ ...lost, account })).toEqual({ kind: 'notFound' });
  });

  test.each([
    ['at another time', new Date(Date.now() - 3_600_000).toISOString()],
    ['by a lost copy of the database', null],
  ])('that was started %s is found by its reference', async (_when, begunAt) => {
    const request = await payment(world, 'approved');
    const outcome = await world.rail.authorize(request);
    const asked = { ...question(request), railReference: null, railCustomer: null, begunAt };
    expect(await world.rail.lookup(asked)).toEqual(outcome);
  });

  test('that was created twice and confirmed once has the outcome of the confirmed intent', async () => {
    const request = await payment(world, 'approved');
    const outcome = await world.rail.authorize(request);
    const methodToken = await world.token('approved');
    const again = { ...request, methodToken, idempotencyKey: `${request.reference}:a-day-later` };
    const storeId = async (id: object) => {
      if ('railReference' in id) throw new Error('the worker has died');
    };
    expect(await world.rail.authorize({ ...again, storeId })).toMatchObject({ reason: 'not_sent' });
    const asked = { ...question(request), railReference: null, railCustomer: null, begunAt: null };
    expect(await world.rail.lookup(asked)).toEqual(outcome);
  });

  test('whose known id Stripe does not know is reported as misconfigured, not as "not found"', async () => {
    const request = await payment(world, 'approved');
    await world.rail.authorize(request);
    const outcome = await world.rail.lookup({ ...question(request), account: world.otherAccount });
    expect(outcome).toMatchObject({ kind: 'unknown', reason: 'misconfigured', detail: expect.any(String) });
  });
});
