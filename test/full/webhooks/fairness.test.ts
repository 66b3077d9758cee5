/**
 * 2,000 events to 20 endpoints of 20 merchants, of which five are dead and five hang: the other ten do not
 * notice. Then the same with the worker killed at random, and the dead come back and recover everything.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { wakeEndpointsOf } from '../../../activities/wake-endpoints.ts';
import { recordEvent } from '../../../db/events.ts';
import { openPool, type Pool, sql } from '../../../db/pool.ts';
import { beginRecovery } from '../../../db/recover-deliveries.ts';
import { SecretBox } from '../../../db/secret-box.ts';
import type { Scope } from '../../../domain/environment.ts';
import { RECOVER_DELIVERIES_WORKFLOW, recoverDeliveriesStart } from '../../../workflows/endpoint-messages.ts';
import { eventually } from '../../support/eventually.ts';
import { ok, type Receiver, startReceiver } from '../../support/receiver.ts';
import { startStack, type TestStack } from '../../support/stack.ts';
import { createEndpoint, createMerchant } from '../../support/webhooks.ts';

const EVENTS_PER_ENDPOINT = 100;
const PUBLISHED_OVER_MS = 10_000;
/** Below this, a delay says more about the machine than about the neighbours. */
const NOISE_MS = 250;

interface Shop {
  readonly kind: 'good' | 'dead' | 'hanging';
  readonly scope: Scope;
  readonly endpointId: string;
  readonly receiver: Receiver;
  /** Event id, and when its transaction was committed. */
  readonly written: Map<string, number>;
}

let stack: TestStack;
let pool: Pool;
let connection: Connection;
let client: Client;
const shops: Shop[] = [];
let version = 0;

beforeAll(async () => {
  stack = await startStack({
    parts: ['worker'],
    env: {
      WEBHOOK_TIMEOUT_SECONDS: '3',
      WEBHOOK_ALLOW_LOOPBACK: '1',
      WEBHOOK_SCHEDULE_SECONDS: '0,2,5',
      WEBHOOK_JITTER: '0',
    },
  });
  pool = await openPool({ url: stack.databaseUrl });
  connection = await Connection.connect({ address: stack.temporal.address });
  client = new Client({ connection, namespace: stack.temporal.namespace });
  for (let i = 0; i < 20; i += 1) shops.push(await openShop(i < 10 ? 'good' : i < 15 ? 'dead' : 'hanging'));
}, 120_000);
afterAll(async () => {
  await Promise.all(shops.map(({ receiver }) => receiver.stop()));
  await connection?.close();
  await pool?.end();
  await stack?.stop();
});

async function openShop(kind: Shop['kind']): Promise<Shop> {
  const receiver = await startReceiver();
  const scope = await createMerchant(pool);
  const sealWith = new SecretBox(stack.secretsKey);
  const { id: endpointId } = await createEndpoint(pool, scope, { url: receiver.url, sealWith });
  if (kind === 'dead') await receiver.stop();
  if (kind === 'hanging') receiver.answer = () => {};
  return { kind, scope, endpointId, receiver, written: new Map() };
}

/** Spread over the time as real events are; each in a transaction of its own. */
async function publish(to: readonly Shop[]): Promise<void> {
  const total = to.length * EVENTS_PER_ENDPOINT;
  const startedAt = performance.now();
  const pending: Promise<void>[] = [];
  for (let i = 0; i < total; i += 1) {
    await pause(Math.max(0, startedAt + (i * PUBLISHED_OVER_MS) / total - performance.now()));
    const shop = to[i % to.length];
    if (shop) pending.push(publishOne(shop));
  }
  await Promise.all(pending);
}

async function publishOne({ scope, written }: Shop): Promise<void> {
  version += 1;
  const aggregateVersion = version;
  const id = await pool.transaction((tx) =>
    recordEvent(tx, { scope, type: 'payment.succeeded', aggregateId: scope.merchantId, aggregateVersion }),
  );
  written.set(id, performance.now());
  await wakeEndpointsOf({ pool, client, logger: { warn() {} } }, [id]);
}

const received = ({ receiver }: Shop) => new Set(receiver.received.map(({ event }) => event.id));
const missing = (shop: Shop) => [...shop.written.keys()].filter((id) => !received(shop).has(id));

/** Milliseconds from commit to receipt that 99 of 100 events did not exceed. */
function p99(of: readonly Shop[], since: number): number {
  const delays = of.flatMap(({ receiver, written }) =>
    receiver.received.flatMap(({ event, atMs }) => {
      const committedAt = written.get(event.id);
      return committedAt !== undefined && committedAt >= since ? [Math.max(0, atMs - committedAt)] : [];
    }),
  );
  delays.sort((a, b) => a - b);
  return delays[Math.floor(delays.length * 0.99)] ?? Number.NaN;
}

describe('twenty endpoints, of which five are dead and five hang', () => {
  const good = () => shops.filter(({ kind }) => kind === 'good');

  test('the other ten receive everything, as fast as without the bad ones', async () => {
    // The first deliveries start workflows and open connections.
    await Promise.all(good().map(publishOne));
    await eventually(() => expect(good().flatMap(missing)).toEqual([]));

    const alone = performance.now();
    await publish(good());
    await eventually(() => expect(good().flatMap(missing)).toEqual([]), 30_000);
    const among = performance.now();
    await publish(shops);
    await eventually(() => expect(good().flatMap(missing)).toEqual([]), 30_000);

    const [before, after] = [
      p99(
        good().map((shop) => ({
          ...shop,
          written: new Map([...shop.written].filter(([, at]) => at < among)),
        })),
        alone,
      ),
      p99(good(), among),
    ];
    console.log(
      `p99 from commit to receipt: ${Math.round(before)} ms alone, ${Math.round(after)} ms among bad neighbours`,
    );
    expect(after).toBeLessThan(2 * Math.max(before, NOISE_MS));
  }, 180_000);

  test('lose nothing while the worker is killed at random, and the dead recover everything once they are back', async () => {
    const since = new Date(Date.now() - 3_600_000).toISOString();
    let publishing = true;
    const killing = (async () => {
      while (publishing) {
        await pause(1_000 + Math.random() * 3_000);
        await stack.kill('worker');
        await stack.start('worker');
      }
    })();
    await publish(shops);
    publishing = false;
    await killing;
    await eventually(() => expect(good().flatMap(missing)).toEqual([]), 90_000);

    const bad = shops.filter(({ kind }) => kind !== 'good');
    await Promise.all(bad.filter(({ kind }) => kind === 'dead').map(({ receiver }) => receiver.start()));
    for (const { receiver } of bad) receiver.answer = ok;
    for (const { endpointId, scope } of bad) {
      const endpoint = { endpointId, ...scope };
      const { until } = await beginRecovery(pool, endpoint, since, { actor: 'ada' });
      await client.workflow.start(
        RECOVER_DELIVERIES_WORKFLOW,
        recoverDeliveriesStart(endpoint, since, until),
      );
    }
    await eventually(() => expect(bad.flatMap(missing)).toEqual([]), 120_000);
    const open = sql.type(z.object({ status: z.string(), count: z.int() }));
    await eventually(async () => {
      const left = await pool.any(open`
        select status, count(*)::int4 as count from deliveries where status <> 'succeeded' group by status`);
      // Alerts about the bad endpoints are for other endpoints of the same merchant, and there are none.
      expect(left).toEqual([]);
    }, 120_000);
  }, 420_000);
});
