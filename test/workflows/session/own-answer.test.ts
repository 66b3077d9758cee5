/** The rail's answer is recorded for its own attempt, even if another one is open by then. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Pool } from '../../../db/core/pool.ts';
import { wakeSignal } from '../../../workflows/core/messages.ts';
import { payUpdate } from '../../../workflows/session/session-messages.ts';
import { NOT_THERE } from '../../support/db/broken-pool.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const APPROVED = '4242424242424242';
const DECLINED = '4000000000000002';
const CHALLENGE = '4000002760003184';

let world: SessionWorld;
/** The rail acts, but its answers are lost. */
let silent = false;
/** How many transactions commit before one fails; if negative, none fails. */
let commitsBeforeFailure = -1;
/** The rail answers only about this attempt. */
let answered: string;

beforeAll(async () => {
  world = await createSessionWorld({
    // No scheduled look-up within the test.
    timings: { reconcileSeconds: [60], reconcileLongSeconds: [60] },
    wrapRail: (rail) => ({
      ...rail,
      authorize: async (request) => {
        const outcome = await rail.authorize(request);
        return silent ? { kind: 'unknown', reason: 'connection_lost' } : outcome;
      },
      lookup: async (request) =>
        silent && request.reference !== answered
          ? { kind: 'unknown', reason: 'connection_lost' }
          : rail.lookup(request),
    }),
    wrapPool: (pool) => ({
      ...pool,
      transaction: (async (work: Parameters<Pool['transaction']>[0]) => {
        if (commitsBeforeFailure-- === 0) throw NOT_THERE;
        return pool.transaction(work);
      }) as Pool['transaction'],
    }),
  });
  await world.startWorker();
});
afterAll(() => world?.close());
beforeEach(() => {
  silent = false;
  answered = '';
  commitsBeforeFailure = -1;
});

/** A click that an earlier run has answered, because a run knows only the ids of its own updates. */
const payAgain = (session: string, claimId: string) =>
  world.client.workflow.getHandle(session).executeUpdate(payUpdate, { args: [{ claimId }] });

const charges = async (session: string) => {
  const ids = (await world.payments(session)).map(({ id }) => id);
  const ledger = await world.ledger();
  return ledger.filter(({ reference, outcome }) => ids.includes(reference) && outcome === 'approved').length;
};

/** Requests to the rail about an attempt. */
const askedAbout = async (paymentId: string) =>
  (await world.railRequests()).filter(({ reference }) => reference === paymentId).length;

test('repeating a declined click does not settle a later attempt in doubt, and the buyer is charged once', async () => {
  const session = await world.session();
  const declined = randomUUID();
  await world.pay(session, DECLINED, declined);
  await world.until(session, 'created');
  silent = true;
  await world.pay(session, APPROVED);
  answered = (await world.payments(session))[0]?.id ?? '';
  const asked = await askedAbout(answered);
  // The claim commits, the record of its answer fails.
  commitsBeforeFailure = 1;
  expect(await payAgain(session, declined)).toMatchObject({ kind: 'claimed', attemptId: answered });
  expect(await world.pay(session, APPROVED)).toMatchObject({ kind: 'in_progress' });
  expect(await world.payments(session)).toMatchObject([{ status: 'failed' }, { status: 'processing' }]);
  expect(await askedAbout(answered)).toBe(asked);

  silent = false;
  await world.client.workflow.getHandle(session).signal(wakeSignal);
  await world.until(session, 'succeeded');
  expect(await charges(session)).toBe(1);
});

test('a repeated click does not ask the rail about an attempt that has ended or waits for the buyer', async () => {
  const session = await world.session();
  const [declined, challenged] = [randomUUID(), randomUUID()];
  await world.pay(session, DECLINED, declined);
  await world.until(session, 'created');
  await world.pay(session, CHALLENGE, challenged);
  await world.until(session, 'requires_action');
  const asked = async () => Promise.all((await world.payments(session)).map(({ id }) => askedAbout(id)));
  const before = await asked();
  for (const claimId of [declined, challenged])
    expect(await payAgain(session, claimId)).toMatchObject({ kind: 'claimed', state: 'requires_action' });
  expect(await asked()).toEqual(before);
  expect(await world.view(session)).toMatchObject({ state: 'requires_action' });
});
