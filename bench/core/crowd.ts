/** Many unpaid sessions, written and started as by the API, but expiring at a chosen instant. */

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { openPool, type Pool, sql } from '../../db/core/pool.ts';
import { createSession } from '../../db/session/create-session.ts';
import { markSessionsStarted } from '../../db/session/session-sweep.ts';
import type { LookupTimings } from '../../domain/core/lookup-schedule.ts';
import { createPageToken } from '../../secrets/page-token.ts';
import { SecretBox } from '../../secrets/secret-box.ts';
import { openTemporal } from '../../temporal/client.ts';
import { unlessStarted } from '../../temporal/unless-started.ts';
import { sessionStart, sessionWorkflow } from '../../workflows/session/session-messages.ts';
import { inParallel } from './load.ts';
import type { Place } from './place.ts';

const NOBODY = { email: null, name: null, billingDetails: null, taxValue: null, taxType: null };
const TIMINGS: LookupTimings = { reconcileSeconds: [2, 5, 15], reconcileLongSeconds: [300] };
const POLL_MS = 200;
// Nobody opens these pages, so any key will do.
const BOX = new SecretBox(Buffer.alloc(32, 7).toString('base64'));
const countOf = z.object({ n: z.number() });

export interface Drained {
  /** From the instant of the expiry to the end of the last session. */
  readonly seconds: number;
  /** How long after its expiry each session ended, ascending. */
  readonly lateMs: readonly number[];
}

export async function openCrowd({ dev }: Pick<Place, 'dev'>) {
  const pool = await openPool({ url: dev.databaseUrl, maxConnections: 16 });
  const client = openTemporal({ address: dev.temporalAddress, namespace: 'default' });
  const { id: merchantId, products } = dev.others.second;
  const shop = { merchantId, productId: products.oneTime ?? '' };
  const open = (lifetimeSeconds: number) => openSession(pool, client, shop, lifetimeSeconds);
  let expiring: readonly string[] = [];

  return {
    /** All sessions that wait for a buyer, including those that this benchmark did not open. */
    waiting: () =>
      pool.oneFirst(sql.type(countOf)`select count(*) as n from checkouts where state = 'created'`),
    /** Sessions that outlive the benchmark. */
    wait: (sessions: number) => inParallel(sessions, () => open(86_400)),
    /** Opens sessions that all expire at the same Unix time. @throws Error if that time came before they were open */
    async expireAt(atMs: number, sessions: number): Promise<void> {
      expiring = await inParallel(sessions, () => open((atMs - Date.now()) / 1_000));
      if (Date.now() > atMs) throw new Error('opening the sessions took too long: raise --lead');
    },
    /** Waits for the end of every session of `expireAt`. */
    async untilDrained(atMs: number): Promise<Drained> {
      const ids = sql.array([...expiring], 'text');
      const left = () =>
        pool.oneFirst(sql.type(countOf)`
          select count(*) as n from checkouts where id = any(${ids}) and finished_at is null`);
      while ((await left()) > 0) await pause(POLL_MS);
      const ends = await pool.any(sql.type(z.object({ since: z.number(), late: z.number() }))`
        select (extract(epoch from finished_at) * 1000 - ${atMs}::float8)::float8 as since,
          (extract(epoch from finished_at - expires_at) * 1000)::float8 as late
        from checkouts where id = any(${ids}) order by late`);
      const lastMs = Math.max(...ends.map(({ since }) => since));
      return { seconds: lastMs / 1_000, lateMs: ends.map(({ late }) => late) };
    },
    async end(): Promise<void> {
      await pool.end();
      await client.connection.close();
    },
  };
}

/** A session as the API creates and starts it. @returns its id */
async function openSession(
  pool: Pool,
  client: Client,
  { merchantId, productId }: { readonly merchantId: string; readonly productId: string },
  lifetimeSeconds: number,
): Promise<string> {
  const scope = { merchantId, environment: 'sandbox' as const };
  const created = await createSession(pool, {
    scope,
    source: 'checkout',
    productId,
    externalCustomerId: randomUUID(),
    prefill: NOBODY,
    amount: null,
    preselectedMethod: null,
    merchantReference: null,
    successUrl: null,
    failUrl: null,
    pageToken: createPageToken(BOX, 'ap_chk_'),
    lifetimeSeconds,
    maxAttempts: 5,
    railNames: ['sandbox'],
  });
  if (created.refusal !== null) throw new Error(`no session: ${created.refusal}`);
  const start = sessionStart(
    {
      id: created.id,
      ...scope,
      productName: created.product_name,
      amount: created.amount,
      currency: created.currency,
      expiresAt: created.expires_at,
      msToExpiry: created.ms_to_expiry,
    },
    { timings: TIMINGS },
  );
  // On a busy machine the sweep may have been first.
  await unlessStarted(() => client.workflow.start(sessionWorkflow(start.workflowId), start));
  await markSessionsStarted(pool, [created.id]);
  return created.id;
}
