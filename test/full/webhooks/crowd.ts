/** Twenty endpoints of twenty merchants, five dead and five hanging, and the bookkeeping of their events. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { openPool, type Pool } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { recordEvent } from '../../../db/webhook/events.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import { SecretBox } from '../../../platform/secrets/encryption.ts';
import { wakeAfterCommits } from '../../../platform/temporal/wake-endpoints.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createEndpoint, createMerchant } from '../../support/db/webhooks.ts';
import { type Receiver, startReceiver } from '../../support/server/receiver.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';

export const TIMEOUT_SECONDS = 3;
export const TIMEOUT_MS = 180_000;

export interface Shop {
  readonly kind: 'good' | 'dead' | 'hanging';
  readonly scope: Scope;
  readonly endpointId: string;
  readonly receiver: Receiver;
  /** Every event written for this shop. */
  readonly written: Set<string>;
}

export interface Crowd {
  readonly stack: TestStack;
  readonly pool: Pool;
  readonly client: Client;
  readonly shops: readonly Shop[];
  readonly good: readonly Shop[];
  /** Dead and hanging endpoints. */
  readonly bad: readonly Shop[];
  stop(): Promise<void>;
}

export async function openCrowd(): Promise<Crowd> {
  const stack = await startStack({
    parts: ['worker'],
    env: {
      WEBHOOK_TIMEOUT_SECONDS: `${TIMEOUT_SECONDS}`,
      WEBHOOK_ALLOW_LOOPBACK: '1',
      WEBHOOK_SCHEDULE_SECONDS: '0,2,5',
      WEBHOOK_JITTER: '0',
    },
  });
  const pool = await openPool({ url: stack.databaseUrl });
  const connection = await Connection.connect({ address: stack.temporal.address });
  const client = new Client({ connection, namespace: stack.temporal.namespace });
  wakeAfterCommits(pool, client, { warn() {} });
  const shops: Shop[] = [];
  for (let i = 0; i < 20; i += 1) {
    shops.push(await openShop(pool, stack.secretsKey, i < 10 ? 'good' : i < 15 ? 'dead' : 'hanging'));
  }
  return {
    stack,
    pool,
    client,
    shops,
    good: shops.filter(({ kind }) => kind === 'good'),
    bad: shops.filter(({ kind }) => kind !== 'good'),
    async stop() {
      await Promise.all(shops.map(({ receiver }) => receiver.stop()));
      await connection.close();
      await pool.end();
      await stack.stop();
    },
  };
}

async function openShop(pool: Pool, secretsKey: string, kind: Shop['kind']): Promise<Shop> {
  const receiver = await startReceiver();
  const scope = await createMerchant(pool);
  const sealWith = new SecretBox(secretsKey);
  const { id: endpointId } = await createEndpoint(pool, scope, { url: receiver.url, sealWith });
  if (kind === 'dead') await receiver.stop();
  if (kind === 'hanging') receiver.answer = () => {};
  return { kind, scope, endpointId, receiver, written: new Set() };
}

interface Written {
  readonly shop: Shop;
  readonly eventId: string;
  /** The time at which its transaction committed. */
  readonly atMs: number;
}

/** Round-robin and spread over time like real events, each in a separate transaction. */
export async function publish(
  pool: Pool,
  to: readonly Shop[],
  perShop: number,
  overMs: number,
): Promise<readonly Written[]> {
  const total = to.length * perShop;
  const startedAt = performance.now();
  const pending: Promise<Written>[] = [];
  for (let i = 0; i < total; i += 1) {
    await pause(Math.max(0, startedAt + (i * overMs) / total - performance.now()));
    const shop = to[i % to.length];
    if (shop) pending.push(publishOne(pool, shop));
  }
  return Promise.all(pending);
}

let version = 0;

async function publishOne(pool: Pool, shop: Shop): Promise<Written> {
  const { scope, written } = shop;
  version += 1;
  const aggregateVersion = version;
  const eventId = await inTransaction(pool, (tx) =>
    recordEvent(tx, { scope, type: 'payment.succeeded', aggregateId: scope.merchantId, aggregateVersion }),
  );
  const atMs = performance.now();
  written.add(eventId);
  return { shop, eventId, atMs };
}

export function allReceived(by: readonly Shop[]): Promise<void> {
  return eventually(() => expect(missing(by)).toEqual([]), TIMEOUT_MS);
}

/** Ids of events that their shop has not received. */
function missing(of: readonly Shop[]): readonly string[] {
  return of.flatMap(({ receiver, written }) => {
    const received = new Set(receiver.received.map(({ event }) => event.id));
    return [...written].filter((id) => !received.has(id));
  });
}

/** Ids of events whose bytes differed between attempts. */
export function changedBodies(of: readonly Shop[]): readonly string[] {
  return of.flatMap(({ receiver }) => {
    const first = new Map<string, string>();
    return receiver.received.flatMap(({ event, body }) => {
      const before = first.get(event.id);
      if (before === undefined) first.set(event.id, body);
      return before === undefined || before === body ? [] : [event.id];
    });
  });
}

/** The 99th percentile of the time from commit to first receipt, in milliseconds. */
export function p99(written: readonly Written[]): number {
  const receipts = new Map<string, number>();
  for (const { receiver } of new Set(written.map(({ shop }) => shop))) {
    for (const { event, atMs } of receiver.received) {
      if (!receipts.has(event.id)) receipts.set(event.id, atMs);
    }
  }
  const delays = written.map(({ eventId, atMs }) =>
    Math.max(0, (receipts.get(eventId) ?? Number.NaN) - atMs),
  );
  delays.sort((a, b) => a - b);
  return delays[Math.floor(delays.length * 0.99)] ?? Number.NaN;
}
