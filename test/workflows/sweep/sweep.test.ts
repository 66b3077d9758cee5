/**
 * The sweep finds unfinished work: workflows to start, endpoints to signal, webhooks to evaluate, charges to
 * return.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { replaceStuckEndpoints } from '../../../activities/sweep/recover-overdue.ts';
import { createSweepActivities } from '../../../activities/sweep/sweep.ts';
import { openPool, readClock, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import {
  insertResolveRequest,
  readResolveAnswer,
  unansweredResolveRequests,
} from '../../../db/payment/resolve-requests.ts';
import { claimAttempt } from '../../../db/session/claim-attempt.ts';
import { recordEvent } from '../../../db/webhook/events.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import { cancelUpdate } from '../../../workflows/session/session-messages.ts';
import { SWEEP_WORKFLOW } from '../../../workflows/sweep/sweep-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { APPROVED, answer, click, clickAccepted } from '../../support/db/attempts.ts';
import { insertSession } from '../../support/db/fixtures.ts';
import { createEndpoint, createMerchant } from '../../support/db/webhooks.ts';
import { withOldRuns } from '../../support/temporal/old-runs.ts';
import { keepHistory } from '../../support/temporal/replay.ts';
import { isTerminated, startStuckRun } from '../../support/temporal/stuck-run.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const CARD = '4242424242424242';
const CHALLENGE = '4000002760003184';
const DECLINED = '4000000000000002';

let world: SessionWorld;
/** The next round of the sweep fails, as when its worker dies. */
let roundFails = false;
beforeAll(async () => {
  world = await createSessionWorld({
    wrapActivities: (activities) => ({
      ...activities,
      async sweepOnce() {
        if (!roundFails) return activities.sweepOnce();
        roundFails = false;
        throw new Error('the round fails');
      },
    }),
  });
  await world.startWorker();
});
afterAll(() => world.close());

const sweep = () =>
  world.client.workflow.execute(SWEEP_WORKFLOW, {
    taskQueue: taskQueue('billing', 'production'),
    workflowId: `sweep-${randomUUID()}`,
  });
const sweepOldRuns = () =>
  createSweepActivities({ ...world.deps, client: withOldRuns(world.client) }).sweepOnce();
/** Sweeps, running `meanwhile` each time that Temporal is asked about a run. */
async function sweepBehind(meanwhile: () => Promise<void>): Promise<void> {
  const { client } = world;
  const workflow = Object.create(client.workflow, {
    getHandle: {
      value: (workflowId: string) => {
        const handle = client.workflow.getHandle(workflowId);
        return { ...handle, describe: () => meanwhile().then(() => handle.describe()) };
      },
    },
  });
  const slowed = Object.create(client, { workflow: { value: workflow } });
  await createSweepActivities({ ...world.deps, client: slowed }).sweepOnce();
}
const statusOf = (workflowId: string) =>
  world.client.workflow
    .getHandle(workflowId)
    .describe()
    .then(({ status }) => status.name)
    .catch(() => 'NOT_FOUND');

describe('the sweep', () => {
  test('starts the workflow of an unstarted session, which can then be paid', async () => {
    const { id } = await insertSession(world.pool, world.shop, world.shop.products.oneTime);
    await world.pool.query(
      sql.unsafe`update checkouts set created_at = service_clock() - interval '2 seconds' where id = ${id}`,
    );
    await sweep();
    expect(await statusOf(id)).toBe('RUNNING');
    await world.pay(id, CARD);
    await world.until(id, 'succeeded');
  });

  test('restarts a session whose run is lost, and adopts its open attempt', async () => {
    const { id } = await insertSession(world.pool, world.shop, world.shop.products.oneTime);
    await click(world.pool, id);
    await world.pool.query(sql.unsafe`
      update checkouts set workflow_started_at = service_clock(),
        next_action_at = service_clock() - interval '2 minutes'
      where id = ${id}`);
    expect(await statusOf(id)).toBe('NOT_FOUND');
    await sweep();
    expect(await statusOf(id)).toBe('RUNNING');
  });

  test('restarts a session whose run has completed and that a restored database still shows as open', async () => {
    const id = await world.session();
    await world.client.workflow.getHandle(id).executeUpdate(cancelUpdate, { args: [{ what: 'session' }] });
    await world.client.workflow.getHandle(id).result();
    await world.pool.query(sql.unsafe`
      update checkouts set state = 'created', failure_reason = null, finished_at = null,
        cancel_requested_at = null, expires_at = service_clock() - interval '2 minutes',
        next_action_at = service_clock() - interval '2 minutes'
      where id = ${id}`);
    await sweep();
    await world.until(id, 'failed');
    expect(await world.client.workflow.getHandle(id).result()).toEqual({
      state: 'failed',
      failureReason: 'expired',
    });
  });

  test('does not restart a session that has ended since the list of lost sessions was read', async () => {
    const ids = await Promise.all(
      Array.from({ length: 15 }, async () => {
        const { id } = await insertSession(world.pool, world.shop, world.shop.products.oneTime);
        await world.pool.query(sql.unsafe`
          update checkouts set workflow_started_at = service_clock(),
            next_action_at = service_clock() - interval '2 minutes'
          where id = ${id}`);
        return id;
      }),
    );
    let ended: Promise<unknown> | undefined;
    await sweepBehind(async () => {
      ended ??= world.pool.query(sql.unsafe`
        update checkouts set state = 'failed', failure_reason = 'expired', finished_at = service_clock(),
          next_action_at = null
        where state = 'created' and next_action_at < service_clock()`);
      await ended;
    });
    expect(ended).toBeDefined();
    expect(new Set(await Promise.all(ids.map(statusOf)))).toEqual(new Set(['NOT_FOUND']));
  });

  test('limits the time of each chore, so that a hanging chore does not block later ones', async () => {
    const { id } = await insertSession(world.pool, world.shop, world.shop.products.oneTime);
    await world.pool.query(sql.unsafe`
      update checkouts set workflow_started_at = service_clock(),
        next_action_at = service_clock() - interval '2 minutes'
      where id = ${id}`);
    const before = await readClock(world.pool);
    await sweepBehind(() => new Promise(() => {}));
    const beaten = await world.pool.exists(
      sql.unsafe`select from heartbeats where name = 'sweep' and at > ${before}::timestamptz`,
    );
    expect(beaten).toBe(true);
    await sweep();
    expect(await statusOf(id)).toBe('RUNNING');
  }, 60_000);

  test('signals a running session that is overdue', async () => {
    const id = await world.session();
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    await world.answerChallenge(id, 'approve');
    await world.pool.query(
      sql.unsafe`update checkouts set next_action_at = service_clock() - interval '2 minutes' where id = ${id}`,
    );
    await sweep();
    await world.until(id, 'succeeded');
    await world.client.workflow.getHandle(id).result();
    await keepHistory(world.client.workflow.getHandle(id), 'checkout-woken');
  });

  test('replaces a run whose tasks keep failing, and the buyer is charged once', async () => {
    const { id } = await insertSession(world.pool, world.shop, world.shop.products.oneTime);
    const claimId = randomUUID();
    await world.storeClick(id, CARD, claimId);
    const stuck = await startStuckRun(world.client, id, taskQueue('checkout', 'sandbox'));
    const claimed = await claimAttempt(world.pool, { checkoutId: id, claimId });
    expect(claimed.kind).toBe('claimed');
    await world.pool.query(sql.unsafe`
      update checkouts set workflow_started_at = service_clock(),
        next_action_at = service_clock() - interval '2 minutes'
      where id = ${id}`);
    await sweep();
    await world.until(id, 'succeeded');
    const [payment] = await world.payments(id);
    const charges = (await world.ledger()).filter(({ reference }) => reference === payment?.id);
    expect(charges).toHaveLength(1);
    expect(await isTerminated(world.client, stuck)).toBe(true);
  });

  test('signals a run that is still in its start delay although its attempt is overdue', async () => {
    const id = await world.session();
    const claimId = randomUUID();
    await world.storeClick(id, CARD, claimId);
    await claimAttempt(world.pool, { checkoutId: id, claimId });
    await world.pool.query(
      sql.unsafe`update payments set call_started_at = service_clock() where claim_id = ${claimId}`,
    );
    await world.pool.query(sql.unsafe`
      update checkouts set next_action_at = service_clock() - interval '2 minutes' where id = ${id}`);
    await sweep();
    await world.until(id, 'created');
  });

  test('replaces a run whose row stays overdue after two signals, once in ten minutes', async () => {
    const id = await world.session();
    await world.pay(id, DECLINED);
    await world.until(id, 'created');
    const { runId } = await world.client.workflow.getHandle(id).describe();
    const late = (minutes: number) =>
      world.pool.query(sql.unsafe`
        update checkouts set next_action_at = service_clock() - ${minutes} * interval '1 minute' where id = ${id}`);
    await late(4);
    await sweep();
    await late(2);
    await sweepOldRuns();
    expect(await world.client.workflow.getHandle(id).describe()).toMatchObject({
      runId,
      status: { name: 'RUNNING' },
    });
    await late(4);
    await eventually(async () => {
      await sweepOldRuns();
      expect((await world.client.workflow.getHandle(id).describe()).runId).not.toBe(runId);
    });
  });

  test('does not count a failed round, and succeeds in the next', async () => {
    roundFails = true;
    const workflowId = `sweep-${randomUUID()}`;
    const options = { taskQueue: taskQueue('billing', 'production'), workflowId };
    expect(await world.client.workflow.execute(SWEEP_WORKFLOW, options)).toEqual({ mark: null });
    expect(await sweep()).toMatchObject({ mark: expect.any(Number) });
    await keepHistory(world.client.workflow.getHandle(workflowId), 'sweep-round-failed');
  });

  /** An event written through a separate pool, whose commits signal no endpoint. */
  async function endpointWithEvent() {
    // Has its own merchant: an event from another test would signal its endpoints as well.
    const scope = await createMerchant(world.pool);
    const { id } = await createEndpoint(world.pool, scope, { url: 'http://127.0.0.1:9/' });
    const writer = await openPool({ url: world.databaseUrl });
    await inTransaction(writer, (tx) =>
      recordEvent(tx, {
        scope,
        type: 'payment.succeeded',
        aggregateId: scope.merchantId,
        aggregateVersion: 1,
      }),
    );
    await writer.end();
    return {
      id,
      overdueBy: (interval: string) =>
        world.pool.query(sql.unsafe`
          update deliveries set next_attempt_at = service_clock() - ${interval}::interval
          where endpoint_id = ${id}`),
      untilTried: () =>
        eventually(async () => {
          const tried = await world.pool.exists(
            sql.unsafe`select from deliveries where endpoint_id = ${id} and attempts > 0`,
          );
          expect(tried).toBe(true);
        }),
      remove: () =>
        world.pool.query(sql.unsafe`update webhook_endpoints set status = 'deleted' where id = ${id}`),
    };
  }

  test('signals an endpoint whose writer died before signalling it', async () => {
    const endpoint = await endpointWithEvent();
    await endpoint.overdueBy('6 seconds');
    expect(await statusOf(endpoint.id)).toBe('NOT_FOUND');
    await sweep();
    await endpoint.untilTried();
    await endpoint.remove();
  });

  test('replaces the stuck run of an endpoint in one round', async () => {
    const endpoint = await endpointWithEvent();
    const stuck = await startStuckRun(world.client, endpoint.id, taskQueue('webhooks', 'sandbox'));
    await endpoint.overdueBy('50 seconds');
    await replaceStuckEndpoints(world.deps);
    expect(await isTerminated(world.client, stuck)).toBe(false);
    await endpoint.overdueBy('70 seconds');
    await sweep();
    expect(await isTerminated(world.client, stuck)).toBe(true);
    await endpoint.untilTried();
    await endpoint.remove();
  });

  // Each signal resets the server's count of tries.
  test('replaces a stuck run even if it receives signals between its tries', async () => {
    const endpoint = await endpointWithEvent();
    const stuck = await startStuckRun(world.client, endpoint.id, taskQueue('webhooks', 'sandbox'));
    await stuck.signal('wake');
    await eventually(async () => {
      const { raw } = await stuck.describe();
      expect(raw.pendingWorkflowTask?.attempt).toBeLessThan(3);
    }, 60_000);
    await eventually(async () => {
      const { raw } = await stuck.describe();
      expect(raw.pendingWorkflowTask?.attempt).toBeGreaterThan(1);
    }, 60_000);
    await endpoint.overdueBy('70 seconds');
    await replaceStuckEndpoints({ ...world.deps, client: withOldRuns(world.client) });
    expect(await isTerminated(world.client, stuck)).toBe(true);
    await endpoint.untilTried();
    await endpoint.remove();
  });

  test('signals a session about an unprocessed webhook of its open challenge', async () => {
    const id = await world.session();
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    await world.answerChallenge(id, 'approve');
    const reference = (await world.payments(id))[0]?.id ?? '';
    await hear(reference, 'approved');
    await sweep();
    await world.until(id, 'succeeded');
  });

  test('applies a webhook about an open challenge without shortening the buyer’s time', async () => {
    const id = await world.session();
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    const reference = (await world.payments(id))[0]?.id ?? '';
    await hear(reference, 'challenge');
    await sweep();
    await eventually(async () => {
      const waiting = await world.pool.exists(
        sql.unsafe`select from rail_webhooks where reference = ${reference} and applied_at is null`,
      );
      expect(waiting).toBe(false);
    });
    const actsAtItsEnd = await world.pool.exists(sql.unsafe`
      select from checkouts c join payments p on p.checkout_id = c.id
      where c.id = ${id} and c.next_action_at = least(c.expires_at, p.challenge_expires_at)`);
    expect(actsAtItsEnd).toBe(true);
  });

  test('never returns a charge that paid for its session, however late the webhook', async () => {
    const id = await world.session();
    await world.pay(id, CARD);
    await world.until(id, 'succeeded');
    const paymentId = (await world.payments(id))[0]?.id ?? '';
    await hear(paymentId, 'approved');
    await sweep();
    const judged = world.client.workflow.getHandle(`${paymentId}-reconcile`);
    expect(await judged.result()).toBe('agrees');
    const back = (await world.ledger()).filter(
      ({ reference, operation }) => operation === 'refund' && reference.startsWith(paymentId),
    );
    expect(back).toEqual([]);
  });

  test('lists and returns a charge found for an attempt that has already ended', async () => {
    const id = await world.session();
    await world.pay(id, CARD);
    await world.until(id, 'succeeded');
    const paymentId = (await world.payments(id))[0]?.id ?? '';
    // Simulates a restore: the rail charged, the database has the attempt as cancelled.
    await world.pool.query(sql.unsafe`update payments set status = 'cancelled' where id = ${paymentId}`);
    await hear(paymentId, 'approved');
    await sweep();
    await eventually(async () => {
      const back = await world.pool.exists(sql.unsafe`
        select from orphaned_charges where payment_id = ${paymentId} and returned_at is not null`);
      expect(back).toBe(true);
    });
    expect((await world.ledger()).at(-1)).toMatchObject({ operation: 'refund', amount: 1_900 });
    // A returned charge is settled, so the next round leaves it alone.
    const run = () => world.client.workflow.getHandle(`${paymentId}-reconcile`).describe();
    await eventually(async () => expect((await run()).status.name).toBe('COMPLETED'));
    const { runId } = await run();
    await sweep();
    expect((await run()).runId).toBe(runId);
  });

  test('resends an operator’s request whose signal was lost, and answers requests whose subject has ended', async () => {
    const open = await world.session();
    await world.pay(open, CHALLENGE);
    await world.until(open, 'requires_action');
    const over = await world.session();
    await world.client.workflow.getHandle(over).executeUpdate(cancelUpdate, { args: [{ what: 'session' }] });
    const request = { outcome: 'failed', operator: 'ada', reason: 'r', evidence: 'e' } as const;
    const ask = (id: string) => insertResolveRequest(world.pool, id, request);
    const [toOpen, toOver, toNothing] = [await ask(open), await ask(over), await ask('ap_chk_none')];
    const young = await ask(over);
    await world.pool.query(sql.unsafe`
      update resolve_requests set created_at = created_at - interval '2 minutes' where id <> ${young}`);
    await sweep();
    await eventually(async () => {
      expect(await readResolveAnswer(world.pool, toOpen)).toBe(
        'refused: nothing to resolve: the session is requires_action',
      );
    });
    expect(await readResolveAnswer(world.pool, toOver)).toMatch(/^no longer open: it is failed;/);
    expect(await readResolveAnswer(world.pool, toNothing)).toBe('refused: ap_chk_none does not exist');
    expect(await readResolveAnswer(world.pool, young)).toBeNull();
    // Answered requests are not listed again and leave room for others.
    expect(await unansweredResolveRequests(world.pool, 500)).toEqual([]);
  });

  test('continues to return a listed charge', async () => {
    const id = (await insertSession(world.pool, world.shop, world.shop.products.oneTime)).id;
    const paymentId = await clickAccepted(world.pool, id);
    await answer(world.pool, id, paymentId, { kind: 'cancelled' });
    await answer(world.pool, id, paymentId, APPROVED);
    await sweep();
    expect(await statusOf(`${paymentId}-reconcile`)).not.toBe('NOT_FOUND');
  });
});

async function hear(reference: string, hint: string): Promise<void> {
  await storeRailWebhook(world.pool, {
    railAccountId: world.shop.railAccountId,
    railEventId: randomUUID(),
    reference,
    hint,
  });
  await world.pool.query(
    sql.unsafe`update rail_webhooks set received_at = service_clock() - interval '6 seconds' where reference = ${reference}`,
  );
}
