/**
 * Alerts about processes, rails, sales and webhooks, triggered on the running service: each fires in
 * Prometheus from the metrics of API and worker, and clears once its cause is gone. Those about incidents:
 * incident-alerts.test.ts. @needs promtool @reads deploy/observability
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPool, sql } from '../../../db/core/pool.ts';
import { openTemporal } from '../../../platform/temporal/client.ts';
import { payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import { type OwnPostgres, startOwnPostgres } from '../../support/db/stopped-postgres.ts';
import type { RunningProcess } from '../../support/stack/process.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';
import { type Prometheus, startPrometheus } from '../../support/tool/prometheus.ts';

const TEST_MS = 600_000;
const GOOD = '4242424242424242';
const DECLINED = '4000000000000002';
let stack: TestStack;
let prometheus: Prometheus;
let postgres: OwnPostgres;

beforeAll(async () => {
  // Short schedules, so that a receiver that has recovered is retried soon.
  postgres = await startOwnPostgres();
  stack = await startStack({
    databaseUrl: postgres.url,
    env: { WEBHOOK_SCHEDULE_SECONDS: `0${',20'.repeat(9)}` },
  });
  prometheus = await startPrometheus(stack.metrics);
});
afterAll(async () => {
  await prometheus?.stop();
  await stack?.stop();
  await postgres?.stop();
});

const fires: Prometheus['fires'] = (...names) => prometheus.fires(...names);
const clears: Prometheus['clears'] = (...names) => prometheus.clears(...names);

async function sell(count: number, card: string, timeoutSeconds?: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async () => {
      const { hostedUrl } = await stack.createCheckout(stack.products.oneTime);
      await payAsBuyer({ hostedUrl, card, timeoutSeconds });
    }),
  );
}

/** Sells to six buyers at once, repeatedly, until `seen` has ended: the alerts need one sale in two seconds. */
async function selling(card: string, seen: () => Promise<void>): Promise<void> {
  let isOver = false;
  const sales = (async () => {
    while (!isOver) await Promise.all([sell(6, card), pause(2_000)]);
  })();
  try {
    await seen();
  } finally {
    isOver = true;
    await sales;
  }
}

async function failRail(fault: object): Promise<void> {
  const response = await fetch(`${stack.railUrl}/admin/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operation: 'authorize', ...fault }),
  });
  expect(response.ok).toBe(true);
}

/** Pauses and resumes the part repeatedly, like a process whose event loop is blocked. */
async function stutter(part: RunningProcess, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    part.pause();
    await pause(900);
    part.resume();
    await pause(100);
  }
}

test(
  'nothing but declines triggers CheckoutDeclinesHigh and CheckoutNoSales, until buyers pay again',
  async () => {
    await selling(DECLINED, () => fires('CheckoutDeclinesHigh', 'CheckoutNoSales'));
    await selling(GOOD, () => clears('CheckoutDeclinesHigh', 'CheckoutNoSales'));
  },
  TEST_MS,
);

test(
  'a rail that leaves every third charge unanswered triggers CheckoutRailFailing',
  async () => {
    let isOver = false;
    // Fewer than half of them fail, because beyond that the breaker would let only single attempts through.
    const sales = (async () => {
      while (!isOver) {
        await failRail({ mode: 'drop-after', count: 2 });
        await sell(6, GOOD);
      }
    })();
    try {
      await fires('CheckoutRailFailing');
    } finally {
      isOver = true;
      await sales;
    }
    await clears('CheckoutRailFailing');
  },
  TEST_MS,
);

test(
  'a slow rail with more buyers than slots triggers CheckoutRailSlow and CheckoutWorkerSlotsExhausted',
  async () => {
    await failRail({ mode: 'delay', delayMs: 15_000, count: 60 });
    const sales = sell(60, GOOD);
    await fires('CheckoutRailSlow', 'CheckoutWorkerSlotsExhausted');
    await sales;
    await clears('CheckoutRailSlow', 'CheckoutWorkerSlotsExhausted');
  },
  TEST_MS,
);

test(
  'the only worker, when it hangs, triggers CheckoutTargetDown, CheckoutWorkersGone, CheckoutFiguresMissing and CheckoutWorkersBehind',
  async () => {
    stack.part('worker').pause();
    const sales = sell(8, GOOD);
    await fires('CheckoutTargetDown', 'CheckoutWorkersGone', 'CheckoutFiguresMissing');
    stack.part('worker').resume();
    await fires('CheckoutWorkersBehind');
    await sales;
    await clears(
      'CheckoutTargetDown',
      'CheckoutWorkersGone',
      'CheckoutFiguresMissing',
      'CheckoutWorkersBehind',
    );
  },
  TEST_MS,
);

test(
  'a PostgreSQL that refuses connections triggers CheckoutDatabaseDown',
  async () => {
    await postgres.leave();
    await fires('CheckoutDatabaseDown');
    await postgres.comeBack();
    await clears('CheckoutDatabaseDown', 'CheckoutFiguresMissing');
  },
  TEST_MS,
);

test(
  'a locked table triggers CheckoutPoolExhausted, CheckoutServerErrors and CheckoutSlow',
  async () => {
    const pool = await openPool({ url: stack.databaseUrl, maxConnections: 1 });
    let isOver = false;
    const asking = async () => {
      while (!isOver) await stack.createCheckout(stack.products.oneTime).catch(() => {});
    };
    const shops: Promise<void>[] = [];
    try {
      await pool.transaction(async (transaction) => {
        await transaction.query(sql.unsafe`set local idle_in_transaction_session_timeout = 0`);
        await transaction.query(sql.unsafe`lock table products in access exclusive mode`);
        // Starts the shops only now: before the lock, their load would keep this connection from being made in time.
        shops.push(...Array.from({ length: 60 }, asking));
        await fires('CheckoutPoolExhausted', 'CheckoutServerErrors', 'CheckoutSlow');
      });
    } finally {
      isOver = true;
      await Promise.all(shops);
      await pool.end();
    }
    await clears('CheckoutPoolExhausted', 'CheckoutServerErrors', 'CheckoutSlow');
  },
  TEST_MS,
);

test(
  'workers that take no click trigger CheckoutWorkersMissing until they take one',
  async () => {
    const pool = await openPool({ url: stack.databaseUrl, maxConnections: 1 });
    await pool.transaction(async (transaction) => {
      await transaction.query(sql.unsafe`set local idle_in_transaction_session_timeout = 0`);
      // Metrics and the page can still read the table.
      await transaction.query(sql.unsafe`lock table payments in exclusive mode`);
      await sell(6, GOOD, 5);
      await fires('CheckoutWorkersMissing');
    });
    await pool.end();
    await selling(GOOD, () => clears('CheckoutWorkersMissing'));
  },
  TEST_MS,
);

test(
  'the only API triggers CheckoutApiGone when it hangs, and CheckoutEventLoopBlocked when it stutters',
  async () => {
    stack.part('api').pause();
    await fires('CheckoutApiGone');
    stack.part('api').resume();
    await clears('CheckoutApiGone');
    let isOver = false;
    const stuttering = stutter(stack.part('api'), () => isOver);
    try {
      await fires('CheckoutEventLoopBlocked');
    } finally {
      isOver = true;
      await stuttering;
    }
    await clears('CheckoutEventLoopBlocked');
  },
  TEST_MS,
);

async function unreachableTemporal(): Promise<void> {
  await stack.restart('api', { TEMPORAL_ADDRESS: '127.0.0.1:1' });
  await fires('CheckoutTemporalUnavailable');
  await stack.restart('api');
  await clears('CheckoutTemporalUnavailable');
}

async function unknownWorkflow(): Promise<void> {
  const client = openTemporal(stack.temporal);
  try {
    const where = { workflowId: 'of-another-build', taskQueue: taskQueue('checkout', 'sandbox') };
    const handle = await client.workflow.start('ofAnotherBuild', where);
    await fires('CheckoutWorkflowTaskFailing');
    await handle.terminate();
    await clears('CheckoutWorkflowTaskFailing');
  } finally {
    await client.connection.close();
  }
}

async function lateWebhooks(): Promise<void> {
  const pool = await openPool({ url: stack.databaseUrl, maxConnections: 1 });
  await fires('CheckoutWebhookUndelivered');
  // Makes deliveries at any step of the schedule due while the lock is held.
  await pool.query(sql.unsafe`
    update deliveries set next_attempt_at = service_clock() + interval '3 seconds' where status = 'pending'
  `);
  await pool.transaction(async (transaction) => {
    // The lock is held for longer than the pool's limit allows. Rows can be read but not written.
    await transaction.query(sql.unsafe`set local idle_in_transaction_session_timeout = 0`);
    await transaction.query(sql.unsafe`lock table deliveries in exclusive mode`);
    await fires('CheckoutWebhooksLate');
  });
  await pool.end();
  await stack.start('shop');
  await clears('CheckoutWebhookUndelivered', 'CheckoutWebhooksLate');
}

test(
  'alerts fire for an API without Temporal, a workflow from another build and undelivered webhooks',
  async () => {
    await stack.kill('shop');
    await sell(1, GOOD);
    await Promise.all([unreachableTemporal(), unknownWorkflow(), lateWebhooks()]);
  },
  TEST_MS,
);
