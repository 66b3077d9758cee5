/**
 * The schema of 0.1.0 with data in it, upgraded: no row is lost, no stored value changes, and this release goes on with
 * what 0.1.0 began.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { hashApiKey } from '../../../contract/merchant/api-key.ts';
import { migrate } from '../../../db/core/migrate.ts';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { findApiKeyHolder } from '../../../db/merchant/api-key-holder.ts';
import { verifyWebhook } from '../../../packages/webhooks/src/index.ts';
import { createSandboxRail } from '../../../rail/sandbox/index.ts';
import { createMandate } from '../../../sandbox/rail/db/mandates.ts';
import { openPool as openRailPool } from '../../../sandbox/rail/db/pool.ts';
import { type SandboxRail, startSandboxRail } from '../../../sandbox/rail/server.ts';
import { eventually } from '../../support/core/eventually.ts';
import { TEST_PEPPER } from '../../support/db/fixtures.ts';
import { migrateBefore } from '../../support/db/migrate-before.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { type Receiver, startReceiver } from '../../support/server/receiver.ts';
import { createSessionWorld } from '../../support/world/checkout-world.ts';
import { startIt } from '../../support/world/subscription-world.ts';
import { type Sold, sellWithFirstRelease } from './sold-with-first-release.ts';

/** The first migration after 0.1.0. */
const SINCE = '0013';
const TABLES = [
  'merchants',
  'api_keys',
  'products',
  'prices',
  'rail_accounts',
  'customers',
  'checkouts',
  'pay_requests',
  'orders',
  'payments',
  'subscriptions',
  'invoices',
  'invoice_counters',
  'events',
  'webhook_endpoints',
  'deliveries',
  'storefront_clients',
] as const;
type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

let database: TestDatabase;
let railDatabase: TestDatabase;
let pool: Pool;
let rail: SandboxRail;
let receiver: Receiver;
let sold: Sold;
let before: Rows;
let applied: readonly string[];

beforeAll(async () => {
  [database, railDatabase] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
  await migrateBefore(database.url, SINCE);
  pool = await openPool({ url: database.url });
  rail = await startSandboxRail({ databaseUrl: railDatabase.url, accounts: [] });
  receiver = await startReceiver();
  sold = await sellWithFirstRelease(pool, receiver.url, async (railAccount) => {
    await rail.putAccount(railAccount);
    return storeCard(railAccount.id);
  });
  before = await rowsOf(pool);
  applied = await migrate(database.url);
});
afterAll(async () => {
  await receiver?.stop();
  await rail?.close();
  await pool?.end();
  await Promise.all([database?.drop(), railDatabase?.drop()]);
});

test('an upgrade from 0.1.0 keeps every row and value', async () => {
  expect(applied).toEqual(expect.arrayContaining(['0013_woken_at', '0048_plans']));
  const after = await rowsOf(pool);
  for (const table of TABLES) {
    const rows = before[table] ?? [];
    expect({ table, rows: rows.length }).not.toEqual({ table, rows: 0 });
    expect(after[table]).toHaveLength(rows.length);
    expect(after[table]).toEqual(expect.arrayContaining(rows.map((row) => expect.objectContaining(row))));
  }
  expect(await migrate(database.url)).toEqual([]);
});

test('an API key of 0.1.0 is known', async () => {
  const found = await findApiKeyHolder(pool, hashApiKey(sold.shop.apiKey, TEST_PEPPER));
  expect(found).toMatchObject({ merchant_id: sold.shop.merchantId });
});

test('the due period of a subscription of 0.1.0 is charged once, invoiced, and its events are delivered', async () => {
  const world = await createSessionWorld({
    databaseUrl: database.url,
    wrapRail: () => createSandboxRail({ baseUrl: rail.url }),
  });
  try {
    await world.startWorker();
    await startIt(world, sold.subscriptionId);
    const paid = await delivered(({ type }) => type === 'payment.succeeded');
    expect(await invoicesOf(sold.subscriptionId)).toEqual([
      expect.objectContaining({ counted: 1 }),
      { counted: 2, status: 'created', period_start: sold.periodEnd, amount_due: 0 },
    ]);
    const ledger = await (await fetch(`${rail.url}/ledger?account=${sold.railAccount.id}`)).json();
    expect(ledger).toEqual([
      expect.objectContaining({ operation: 'chargeStored', amount: 900, outcome: 'approved' }),
    ]);
    const left = await delivered(({ id }) => id === sold.event.id);
    for (const { body, headers } of [left, paid]) {
      const signature = String(headers['service-signature']);
      expect(verifyWebhook({ rawBody: body, signature, secret: sold.endpointSecret })).toBeTruthy();
    }
  } finally {
    await world.close();
  }
});

/** Waits for the webhook. */
function delivered(isIt: (event: Receiver['received'][number]['event']) => boolean) {
  return eventually(() => {
    const found = receiver.received.find(({ event }) => isIt(event));
    if (!found) throw new Error('not delivered yet');
    return found;
  }, 60_000);
}

async function storeCard(railAccountId: string): Promise<string> {
  const railPool = openRailPool(railDatabase.url, () => {});
  try {
    return await createMandate(railPool, railAccountId, 'approved', {
      type: 'card',
      brand: 'visa',
      last4: '4242',
    });
  } finally {
    await railPool.end();
  }
}

function invoicesOf(subscriptionId: string) {
  return pool.any(sql.type(
    z.object({ counted: z.number(), status: z.string(), period_start: z.string(), amount_due: z.number() }),
  )`
    select right(number, 6)::int as counted, status, period_start, amount_due from invoices
    where subscription_id = ${subscriptionId} order by number
  `);
}

async function rowsOf(db: Pool): Promise<Rows> {
  const rows: Record<string, Rows[string]> = {};
  for (const table of TABLES) {
    const name = sql.identifier([table]);
    rows[table] = await db.anyFirst(sql.type(z.object({ row: z.record(z.string(), z.unknown()) }))`
      select to_jsonb(t) as row from ${name} t
    `);
  }
  return rows;
}
