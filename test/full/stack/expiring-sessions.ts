/** Many unpaid sessions, written and started as by the API, but expiring at a chosen instant. */
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { markStarted } from '../../../db/core/mark-started.ts';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { createSession } from '../../../db/session/create-session.ts';
import type { LookupTimings } from '../../../domain/core/lookup-schedule.ts';
import { SecretBox } from '../../../platform/secrets/encryption.ts';
import { createPageToken } from '../../../platform/secrets/page-token.ts';
import { openTemporal } from '../../../platform/temporal/client.ts';
import { unlessStarted } from '../../../platform/temporal/unless-started.ts';
import type { DevJson } from '../../../sandbox/stack/dev-json.ts';
import { inParallel } from '../../../tools/bench/core/load.ts';
import { sessionWorkflow } from '../../../workflows/session/session-messages.ts';
import { sessionStart } from '../../../workflows/session/session-start.ts';

const NOBODY = { email: null, party: null };
const TIMINGS: LookupTimings = { reconcileSeconds: [2, 5, 15], reconcileLongSeconds: [300] };
// These pages are never opened, so any key works.
const BOX = new SecretBox(Buffer.alloc(32, 7).toString('base64'));
const countOf = z.object({ n: z.number() });

export async function openExpiringSessions(dev: DevJson) {
  const pool = await openPool({ url: dev.databaseUrl, maxConnections: 16 });
  const client = openTemporal({ address: dev.temporalAddress, namespace: 'default' });
  const { id: merchantId, products } = dev.others.second;
  const shop = { merchantId, productId: products.oneTime ?? '' };
  const open = (lifetimeSeconds: number) => openSession(pool, client, shop, lifetimeSeconds);

  return {
    /** All sessions that wait for a buyer. */
    waiting: () =>
      pool.oneFirst(sql.type(countOf)`select count(*) as n from checkouts where state = 'created'`),
    /**
     * Opens sessions that all expire at the same Unix time.
     * @throws Error if that time passed before they were open
     */
    async expireAt(atMs: number, sessions: number): Promise<void> {
      await inParallel(sessions, () => open((atMs - Date.now()) / 1_000));
      if (Date.now() > atMs) throw new Error('opening the sessions took too long');
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
    buyer: NOBODY,
    amount: null,
    quantity: null,
    preselectedMethod: null,
    locale: null,
    merchantReference: null,
    successUrl: null,
    failUrl: null,
    pageToken: createPageToken(BOX, 'ap_chk_'),
    lifetimeSeconds,
    maxAttempts: 5,
    railNames: ['sandbox'],
  });
  if (created.refusal !== null) throw new Error(`no session was created: ${created.refusal}`);
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
  // On a busy machine the sweep may have started it already.
  await unlessStarted(() => client.workflow.start(sessionWorkflow(start.workflowId), start));
  await markStarted(pool, 'checkouts', [created.id]);
  return created.id;
}
