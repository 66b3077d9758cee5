/** A merchant's sandbox takes neither slots nor connections from a live buyer (rule 37). */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { type Activities, createActivities } from '../../activities/index.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/core/environment.ts';
import { DEFAULT_CURRENCY } from '../../domain/core/money.ts';
import { workflowBundle } from '../../sandbox/stack/temporal/workflow-bundle.ts';
import { createWorkers } from '../../worker/task-queue-workers.ts';
import { reconcileStart } from '../../workflows/payment/reconcile-messages.ts';
import { refundStart } from '../../workflows/refund/refund-messages.ts';
import { sessionStart } from '../../workflows/session/session-start.ts';
import { subscriptionStart } from '../../workflows/subscription/subscription-messages.ts';
import { deliverEventsStart } from '../../workflows/webhook/endpoint-messages.ts';
import { recoverDeliveriesStart } from '../../workflows/webhook/recovery-messages.ts';
import { createTestNamespace } from '../support/temporal/temporal.ts';
import { createSessionWorld, type SessionWorld } from '../support/world/checkout-world.ts';

const timings = { reconcileSeconds: [1], reconcileLongSeconds: [2] };
const AT = '2027-01-31T00:00:00.000Z';
const ABOUT = {
  merchantId: 'ap_mer_1',
  productName: 'Coffee',
  planName: 'Coffee',
  currency: DEFAULT_CURRENCY,
  amount: 900,
};

const startsOf = (environment: Environment) => {
  const of = { ...ABOUT, environment };
  const session = { ...of, id: 'ap_chk_1', expiresAt: AT, msToExpiry: 0 };
  const endpoint = { endpointId: 'ap_whe_1', merchantId: 'ap_mer_1', environment };
  return {
    session: sessionStart(session, { timings }),
    subscription: subscriptionStart({ ...of, id: 'ap_sub_1', status: 'active', nextActionAt: AT }, timings),
    refund: refundStart({ ...of, id: 'ap_ref_1' }, timings),
    reconcile: reconcileStart({ ...of, paymentId: 'ap_pay_1' }),
    deliverEvents: deliverEventsStart(endpoint),
    recoverDeliveries: recoverDeliveriesStart(endpoint, AT, AT),
  };
};

test('every workflow of a merchant is started on a queue of its own environment only', () => {
  const [sandbox, production] = ENVIRONMENTS.map((environment) =>
    Object.values(startsOf(environment)).map(({ taskQueue }) => taskQueue),
  );
  expect(new Set(sandbox)).toEqual(new Set(['sandbox-checkout', 'sandbox-billing', 'sandbox-webhooks']));
  expect(new Set(production)).toEqual(new Set(['checkout', 'billing', 'webhooks']));
});

describe('the environments', () => {
  let world: SessionWorld;
  let stop: () => Promise<void>;
  const calls: Record<Environment, string[]> = { sandbox: [], production: [] };

  beforeAll(async () => {
    const { address, namespace } = await createTestNamespace();
    const [connection, nativeConnection] = await Promise.all([
      Connection.connect({ address }),
      NativeConnection.connect({ address }),
    ]);
    const client = new Client({ connection, namespace });
    world = await createSessionWorld({ temporal: { client, nativeConnection, namespace } });
    const activities = createActivities(world.deps);
    const workers = await createWorkers({
      connection: nativeConnection,
      namespace,
      bundle: { codePath: await workflowBundle() },
      activities: { sandbox: noting('sandbox', activities), production: noting('production', activities) },
      inThisThread: true,
    });
    const running = Promise.all(workers.map((worker) => worker.run()));
    stop = async () => {
      for (const worker of workers) worker.shutdown();
      await running;
      await Promise.all([nativeConnection.close(), connection.close()]);
    };
  });
  afterAll(async () => {
    await stop?.();
    await world?.close();
  });

  function noting(environment: Environment, activities: Activities): Activities {
    const noted = Object.entries(activities).map(([name, activity]) => [
      name,
      (...args: readonly unknown[]) => {
        calls[environment].push(name);
        return (activity as (...given: readonly unknown[]) => unknown)(...args);
      },
    ]);
    return Object.fromEntries(noted) as Activities;
  }

  const cancelled = async (sessionId: string) => {
    const run = world.client.workflow.getHandle(sessionId);
    await run.executeUpdate('cancel', { args: [{ what: 'session' }] });
    return run.result();
  };

  test('run on separate queues with separate activities', async () => {
    expect(await cancelled(await world.session())).toMatchObject({ state: 'failed' });
    expect(calls.sandbox).toContain('requestCancel');
    expect(calls.production).toEqual([]);
  });
});
