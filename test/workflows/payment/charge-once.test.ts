/** An attempt is never sent twice, and never abandoned while its call may still arrive. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { claimAttempt } from '../../../db/session/claim-attempt.ts';
import { requestCancel } from '../../../db/session/session-commands.ts';
import type { RailOutcome } from '../../../rail/outcomes.ts';
import type { Rail } from '../../../rail/rail.ts';
import type { AuthorizeRequest } from '../../../rail/requests.ts';
import { cancelUpdate, payUpdate } from '../../../workflows/session/session-messages.ts';
import { insertDispute } from '../../support/db/disputes.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import {
  advance,
  afterFirstPeriod,
  chargesOf,
  subscribe,
  viewOf,
} from '../../support/world/subscription-world.ts';

const APPROVED = '4242424242424242';

let world: SessionWorld;
let authorize: (rail: Rail, request: AuthorizeRequest) => Promise<RailOutcome>;
let sent: string[];
/** Runs during the look-up before a first send. */
let duringFirstLookup: (paymentId: string) => Promise<void>;
let cancelHolds: boolean;
let lookupLagMs: number;

beforeAll(async () => {
  world = await createSessionWorld({
    railCallTimeoutSeconds: 4,
    wrapRail: (rail) => ({
      ...rail,
      trust: {
        ...rail.trust,
        get cancelHolds() {
          return cancelHolds;
        },
        get lookupLagMs() {
          return lookupLagMs;
        },
      },
      lookup: async (request) => {
        if (request.begunAt === null) await duringFirstLookup(request.reference);
        return rail.lookup(request);
      },
      chargeStored: (request) => {
        sent.push(request.reference);
        return rail.chargeStored(request);
      },
      // Keys differ for every call, so that the rail's idempotency cannot hide a second charge.
      authorize: (request) => {
        sent.push(request.reference);
        return authorize(rail, { ...request, idempotencyKey: `${request.idempotencyKey}:${randomUUID()}` });
      },
    }),
  });
  await world.startWorker();
});
afterAll(() => world.close());
beforeEach(() => {
  sent = [];
  duringFirstLookup = () => Promise.resolve();
  cancelHolds = true;
  lookupLagMs = 0;
  authorize = (rail, request) => rail.authorize(request);
});

const charges = async (paymentId: string) =>
  (await world.ledger()).filter(
    ({ reference, operation, outcome }) =>
      reference === paymentId && operation !== 'refund' && outcome === 'approved',
  ).length;

describe('an attempt', () => {
  test('is looked up, and never sent again even under another key, if its answer is lost with its worker', async () => {
    authorize = async (rail, request) => {
      await rail.authorize(request);
      throw new Error('the worker is gone before the answer is stored');
    };
    const id = await world.session();
    await world.pay(id, APPROVED);
    await world.until(id, 'succeeded');
    const [payment] = await world.payments(id);
    expect(sent).toEqual([payment?.id]);
    expect(await charges(payment?.id ?? '')).toBe(1);
  });

  test('is not sent by another worker if its first worker died before sending', async () => {
    authorize = () => Promise.reject(new Error('the worker is gone before the request is out'));
    const id = await world.session();
    await world.pay(id, APPROVED);
    await world.until(id, 'created');
    expect(sent).toHaveLength(1);
    expect(await world.payments(id)).toMatchObject([{ status: 'cancelled' }]);
  });

  test('stays open while its call may still arrive, although it is unknown to the rail', async () => {
    cancelHolds = false;
    let late: Promise<unknown> = Promise.resolve();
    authorize = (rail, request) => {
      late = new Promise((resolve) => setTimeout(resolve, 2_500)).then(() =>
        rail.authorize({ ...request, signal: AbortSignal.timeout(5_000) }),
      );
      return Promise.resolve({ kind: 'unknown', reason: 'connection_lost' });
    };
    const id = await world.session();
    await world.pay(id, APPROVED);
    await world.until(id, 'succeeded');
    await late;
    const payments = await world.payments(id);
    expect(payments).toMatchObject([{ status: 'succeeded' }]);
    expect(await charges(payments[0]?.id ?? '')).toBe(1);
  });

  test('is not sent if no worker takes it before the click’s deadline', async () => {
    const id = await world.session();
    const claimId = randomUUID();
    await world.storeClick(id, APPROVED, claimId);
    await claimAttempt(world.pool, { checkoutId: id, claimId });
    await world.pool.query(sql.unsafe`
      update clicks set not_after = service_clock() - interval '1 ms' where claim_id = ${claimId}
    `);
    await world.client.workflow
      .getHandle(id)
      .executeUpdate(payUpdate, { args: [{ claimId: 'any message begins the run' }] });
    await world.until(id, 'created');
    expect(sent).toEqual([]);
    expect(await world.payments(id)).toMatchObject([{ status: 'cancelled' }]);
  });

  test.each([
    ['attempt', 'created', null],
    ['session', 'failed', 'cancelled'],
  ] as const)(
    'is never sent if it is cancelled (%s) before it is sent, although a cancel does not bind the rail',
    async (what, state, failureReason) => {
      cancelHolds = false;
      lookupLagMs = 2_000;
      const id = await world.session();
      const claimId = randomUUID();
      const run = world.client.workflow.getHandle(id);
      // The run has read the session before.
      await run.executeUpdate(payUpdate, { args: [{ claimId: 'any message begins the run' }] });
      await world.storeClick(id, APPROVED, claimId);
      // The claim of an update that was lost.
      await claimAttempt(world.pool, { checkoutId: id, claimId });
      const [claimed] = await world.payments(id);
      const cancels = what === 'attempt' ? (claimed?.id ?? '') : what;
      const cancelled = await run.executeUpdate(cancelUpdate, { args: [{ what: cancels }] });
      expect(cancelled.state).toBe('processing');
      // The relay repeats the update of a claim without a call.
      if (what === 'attempt') await world.sendPay(id, claimId);
      expect(await world.until(id, state)).toMatchObject({ failureReason });
      expect(sent).toEqual([]);
      const payments = await world.payments(id);
      expect(payments).toMatchObject([{ status: 'cancelled' }]);
      expect(await charges(payments[0]?.id ?? '')).toBe(0);
    },
  );

  test('is never sent if it is cancelled during the look-up before its send', async () => {
    const id = await world.session();
    await world.pool.query(sql.unsafe`
      update checkouts set created_at = created_at - interval '13 hours' where id = ${id}`);
    duringFirstLookup = () => requestCancel(world.pool, id, 'session');
    await world.pay(id, APPROVED);
    expect(await world.until(id, 'failed')).toMatchObject({ failureReason: 'cancelled' });
    expect(sent).toEqual([]);
    expect(await world.payments(id)).toMatchObject([{ status: 'cancelled' }]);
  });

  test('of a renewal is never sent if a dispute is lost during the look-up before its send', async () => {
    const id = await subscribe(world);
    const later = await afterFirstPeriod(world, id);
    sent = [];
    const purchase = await world.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
      select p.id from payments p join subscriptions s on s.checkout_id = p.checkout_id where s.id = ${id}`);
    duringFirstLookup = () =>
      insertDispute(world.pool, world.shop, purchase, { status: 'lost', amount: 900 });
    await advance(world, id, later(1));
    expect(sent).toEqual([]);
    expect(await viewOf(world, id)).toMatchObject({ cancelAtPeriodEnd: true, openAttempt: null });
    expect(await chargesOf(world, id)).toEqual([]);
  });
});
