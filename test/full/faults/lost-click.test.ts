/**
 * Temporal dies between the commit of a claim and the recording of its workflow task: the row says `processing`, the
 * update is lost, and the workflow knows no attempt. Another message must cause the call.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { pino } from 'pino';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { claimAttempt } from '../../../db/session/claim-attempt.ts';
import { storedPageToken } from '../../../db/session/create-session.ts';
import { openPageToken } from '../../../platform/secrets/page-token.ts';
import { runRelay } from '../../../worker/relay.ts';
import { railWebhookSignal } from '../../../workflows/core/messages.ts';
import { openTemporalServer, type Temporal } from '../../faults/harness/place/temporal.ts';
import { servePage } from '../../page/core/serve.ts';
import { eventually } from '../../support/core/eventually.ts';
import { testSecretBox } from '../../support/db/fixtures.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const APPROVED = '4242424242424242';
const DECLINED = '4000000000000002';
const WAY_BACK_MS = 20_000;
/** The page's payload of a repeated click; the stored click counts. */
const REPEATED = { methodType: 'card', methodToken: 'tok_unused', email: 'buyer@example.eu' };

let dir: string;
let temporal: Temporal;
let world: SessionWorld;
/** Called once, after the next claim has committed and before its activity returns. */
let afterClaim: (() => Promise<void>) | undefined;
/** The next call within a task belongs to the lost one, as if its worker had died with Temporal, so it is not made. */
let isTaskLost = false;
let closeConnections: () => Promise<unknown>;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'checkout-lost-click-'));
  temporal = await openTemporalServer(dir, false);
});
afterAll(async () => {
  await temporal?.end();
  await rm(dir, { recursive: true, force: true });
});

beforeEach(async () => {
  const [connection, nativeConnection] = await Promise.all([
    Connection.connect({ address: temporal.address }),
    NativeConnection.connect({ address: temporal.address }),
  ]);
  closeConnections = () => Promise.all([connection.close(), nativeConnection.close()]);
  const client = new Client({ connection });
  world = await createSessionWorld({
    temporal: { client, nativeConnection, namespace: 'default' },
    wrapActivities: (activities) => ({
      ...activities,
      async pay(click) {
        const { ownerId: checkoutId, claimId } = click;
        const reply = await claimAttempt(world.pool, { checkoutId, claimId });
        const act = afterClaim;
        afterClaim = undefined;
        await act?.();
        if (!isTaskLost) return activities.pay(click);
        isTaskLost = false;
        const attemptId = reply.kind === 'claimed' ? reply.attemptId : null;
        const view = await activities.loadCheckout(checkoutId);
        return { reply, view, attemptId, outcome: null };
      },
    }),
  });
  await world.startWorker();
});
afterEach(async () => {
  await world.close();
  await closeConnections();
});

/** @returns `backAt`: the time of Temporal's return, by `performance.now()` */
async function clickAndLoseIt(checkoutId: string): Promise<{ claimId: string; backAt: number }> {
  const lost = Promise.withResolvers<void>();
  const back = Promise.withResolvers<void>();
  afterClaim = async () => {
    await temporal.stop();
    lost.resolve();
    await back.promise;
  };
  const claimId = randomUUID();
  // Longer than a click waits, so that a slow machine does not make it too late.
  await world.storeClick(checkoutId, APPROVED, claimId, 120);
  const sent = world.client
    .withDeadline(Date.now() + 5_000, () => world.sendPay(checkoutId, claimId))
    .catch(() => 'unknown');
  await lost.promise;
  expect(await sent).toBe('unknown');
  await temporal.start();
  const backAt = performance.now();
  isTaskLost = true;
  back.resolve();
  expect(await world.view(checkoutId)).toMatchObject({ state: 'processing', openAttempt: { called: false } });
  return { claimId, backAt };
}

async function pageTokenOf(checkoutId: string): Promise<string> {
  const row = await world.pool.one(sql.type(z.object(storedPageToken))`
    select page_token, page_token_hash from checkouts where id = ${checkoutId}`);
  return openPageToken(testSecretBox, row);
}

async function sessionAfterADecline(): Promise<string> {
  const id = await world.session();
  await world.pay(id, DECLINED);
  await world.until(id, 'created');
  return id;
}

const SESSIONS = [
  ['the first click, in the start delay', () => world.session()],
  ['a click after a decline', sessionAfterADecline],
] as const;

describe.each(SESSIONS)('%s', (_which, session) => {
  test('is sent to the rail by the relay within 20 s of Temporal’s return', async () => {
    const id = await session();
    const { backAt } = await clickAndLoseIt(id);
    const stop = new AbortController();
    const { pool, client, timings } = world;
    const relay = runRelay(
      { pool, client, session: { timings }, logger: pino({ level: 'silent' }) },
      stop.signal,
    );
    try {
      await eventually(
        async () => expect((await world.view(id)).openAttempt?.called).not.toBe(false),
        60_000,
      );
      expect(performance.now() - backAt).toBeLessThan(WAY_BACK_MS);
      await world.until(id, 'succeeded');
    } finally {
      stop.abort();
      await relay;
    }
  }, 120_000);

  test.each([
    ['its tab', 'claimed'],
    ['another tab', 'in_progress'],
  ])(
    'is sent to the rail when %s clicks again',
    async (which, claim) => {
      const id = await session();
      const { claimId } = await clickAndLoseIt(id);
      const page = await servePage({
        databaseUrl: world.databaseUrl,
        temporal: { address: temporal.address, namespace: 'default' },
      });
      try {
        const click = { claimId: which === 'its tab' ? claimId : randomUUID(), ...REPEATED };
        const response = await fetch(`${page.url}/pay/${await pageTokenOf(id)}/pay`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(click),
        });
        expect(await response.json()).toMatchObject({ claim });
        await world.until(id, 'succeeded');
      } finally {
        await page.close();
      }
    },
    120_000,
  );
});

test('a lost click is sent to the rail after a signal about another payment', async () => {
  const id = await sessionAfterADecline();
  await clickAndLoseIt(id);
  await world.client.workflow.getHandle(id).signal(railWebhookSignal, { attemptId: 'ap_pay_none' });
  await world.until(id, 'succeeded');
});
