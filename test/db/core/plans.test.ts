/**
 * Statements that run each second, each minute or with each request read only the rows they return. Measured in a
 * small database, where a table scan shows as thousands of rows.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Db, sql } from '../../../db/core/pool.ts';
import { overdueRows } from '../../../db/sweep/late-rows.ts';
import { seedPurchases } from '../../../tools/bench/core/seed-purchases.ts';
import { explain } from '../../../tools/bench/plans/explain.ts';
import { HOT_STATEMENTS } from '../../../tools/bench/plans/hot-statements.ts';
import { readSeededIds, searchesOf } from '../../../tools/bench/plans/searches.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';

const SEED = { purchases: 3_000, subscriptions: 600 };
/** The largest read: a page of the event log has 51 events, each with a delivery and its endpoint. */
const ROWS_AT_MOST = 160;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await seedPurchases(database.url, SEED);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

describe('with 3,000 purchases and 600 subscriptions', () => {
  test.each(HOT_STATEMENTS)('$name reads only the rows it returns', async ({ name, ask }) => {
    // In a table this small, a scan may cost less than the index.
    await client.query('set enable_seqscan = off');
    const { rowsRead, pages } = await explain(client, ask);
    expect(rowsRead).toBeLessThanOrEqual(HOT_READS_MORE[name] ?? ROWS_AT_MOST);
    expect(pages).toBeLessThanOrEqual(PAGES_AT_MOST);
  });

  test('each search and filter of the dashboard reads one page of rows, whatever the planner expects', async () => {
    await client.query('set enable_seqscan = off');
    const read: Record<string, number> = {};
    for (const { name, ask } of searchesOf(await readSeededIds(client))) {
      const { rowsRead, sequential } = await explain(client, ask);
      if (sequential.length > 0 || rowsRead > (READS_MORE[name] ?? ROWS_AT_MOST)) read[name] = rowsRead;
    }
    expect(read).toEqual({});
  });

  test('the planner knows the clock’s value, estimates few late rows and uses the index', async () => {
    await client.query('set enable_seqscan = on');
    const { rowsRead } = await explain(client, (db) => overdueRows(db, 'subscription', 500));
    expect(rowsRead).toBeLessThanOrEqual(ROWS_AT_MOST);
  });

  test('a comparison with the volatile clock itself reads every running subscription', async () => {
    const { rowsRead } = await explain(client, (db: Db) =>
      db.query(sql.unsafe`
        select from subscriptions
        where status in ('trialing', 'active', 'past_due', 'paused') and next_action_at < service_clock() - interval '1 minute'`),
    );
    // The index leaves out the ten cancelled subscriptions; a scan of the table reads them as well.
    expect(rowsRead).toBeGreaterThanOrEqual(SEED.subscriptions - 10);
  });

  test('a search for a state without sessions reads one page of rows, whatever the planner expects', async () => {
    await client.query('set enable_seqscan = off');
    const ended = `where state in ('succeeded', 'failed')`;
    const rowsReadFor = async (state: string) => {
      const searches = searchesOf(await readSeededIds(client));
      const ask = searches.find(({ name }) => name === `checkouts: status ${state}`)?.ask;
      if (!ask) throw new Error(`no search for ${state} sessions`);
      return (await explain(client, ask)).rowsRead;
    };
    await client.query(`update checkouts set state = 'succeeded', failure_reason = null ${ended}`);
    expect(await rowsReadFor('failed')).toBeLessThan(ROWS_AT_MOST);
    await client.query(`update checkouts set state = 'failed', failure_reason = 'expired' ${ended}`);
    expect(await rowsReadFor('succeeded')).toBeLessThan(ROWS_AT_MOST);
  });
});

/** Frequent statements that may read more than a page. */
const HOT_READS_MORE: Readonly<Record<string, number>> = {
  // Rows live for two minutes; an index on the window would be written with each request that begins one.
  deleteOldRequestCounts: 3_000,
  // A merchant's latest two hundred sessions show how many it usually sells (merchant_sells_nothing).
  readBusinessFigures: 320,
  listIncidents: 320,
};

/** A full index scan shows in the pages read: about thirty per look-up among 3,000 entries. */
const PAGES_AT_MOST = 400;

/** Searches that may read more than a page of the 3,000 purchases. */
const READS_MORE: Readonly<Record<string, number>> = {
  // Each customer's payments are added up.
  'customers: a part of every email': 300,
  'customers: the newest': 190,
  // All documents of a customer are searched (84 ms for 20,000 of 500,000).
  'invoices: printed codes, a busy customer': 210,
  // With so few rows, scanning the credit notes is as cheap as the index: of 25,000 rows, 40 are read.
  'credit notes: printed codes': 200,
  // Same as `listIncidents`.
  'operators: a common amount': 320,
  'operators: a rare amount': 320,
  'operators: an invoice number': 320,
  'operators: an unknown amount': 320,
  'operators: an unknown email': 320,
  'operators: a part of an email': 320,
  'operators: a part of every email': 320,
  'operators: a part of no email': 320,
  'operators: a name of two letters': 320,
  'operators: a name of two characters': 320,
  'operators: the end of an invoice number': 320,
  'operators: a part of every invoice number': 320,
  'operators: a part of no invoice number': 320,
  'operators: the last digits of a common card': 320,
  'operators: the last digits of an unknown card': 320,
  'operators: a common card with its amount': 320,
  'operators: a common card with another amount': 320,
  'operators: a brand with the last digits of a common card': 320,
  'operators: another brand with the last digits of a common card': 320,
  // One page per payment status of the buyer, with the payments' disputes.
  'payments: the email of a busy customer': 190,
  'payments: the id of a busy customer': 190,
  'payments: the reference of a busy customer': 190,
  // The newest hundred customers whose email contains the part, and one page of their rows.
  'payments: a part of every email': 520,
  'checkouts: a part of every email': 360,
  'subscriptions: a part of every email': 280,
  // A part of a number is compared with each entry of the index until a page is found.
  'invoices: a part of every email': 3_400,
  'invoices: a name of two letters': 3_200,
  'invoices: the end of an invoice number': 3_200,
  'invoices: a part of no invoice number': 3_200,
  'invoices: the last digits of a common card': 3_300,
  'invoices: the last digits of an unknown card': 3_300,
  'invoices: a merchant reference': 3_200,
  'invoices: a customer reference': 3_200,
  'invoices: the reference of a busy customer': 3_300,
  'invoices: an invoice number': 3_200,
  // Four digits are also searched for as an amount.
  'payments: the last digits of a common card': 360,
  'payments: the last digits of an unknown card': 320,
  // One page per status, starting at the amount's position in the index.
  'payments: a common amount': 320,
  'payments: a rare amount': 320,
  'payments: an unknown amount': 320,
  'payments: common amount, an old day': 320,
  'checkouts: a common amount': 240,
  'checkouts: a rare amount': 240,
  'checkouts: an unknown amount': 240,
  'invoices: a common amount': 240,
  'invoices: a rare amount': 240,
  'invoices: an unknown amount': 240,
};
