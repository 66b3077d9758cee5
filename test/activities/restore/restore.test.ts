/** The conditions that the comparison waits for, and the differences that it leaves for later (rule 29). */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { z } from 'zod';
import type { ActivityDeps } from '../../../activities/core/deps.ts';
import { createRestoreActivities } from '../../../activities/restore/restore.ts';
import { sql } from '../../../db/core/pool.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { listForAPerson } from '../../../db/restore/close-differences.ts';
import { storeComparison } from '../../../db/restore/compare.ts';
import { fenceIfRestored } from '../../../db/restore/fence.ts';
import type { UnknownReason } from '../../../domain/payment/attempt.ts';
import { RailListFailed } from '../../../rail/lists.ts';
import type { Rail } from '../../../rail/rail.ts';
import { createSandboxRail } from '../../../rail/sandbox/index.ts';
import { DECLINED } from '../../support/db/attempts.ts';
import { insertRailAccount, insertShop, type Shop, testSecretBox } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { driverOf, insertSubscription } from '../../support/db/subscriptions.ts';

const sandbox = createSandboxRail({ baseUrl: 'http://127.0.0.1:1' });
const LAGGING: Rail = { ...sandbox, trust: { ...sandbox.trust, lookupLagMs: 10_000 } };

let db: OpenTestDatabase;
let shop: Shop;
let subscriptionId: string;
let pastDue: string;
let epoch: number;

beforeAll(async () => {
  db = await openTestDatabase();
  shop = await insertShop(db.pool);
  subscriptionId = await insertSubscription(db.pool, shop, shop.products.recurring);
  pastDue = await insertSubscription(db.pool, shop, shop.products.recurring);
  const driver = driverOf(db.pool, pastDue, () => DECLINED);
  await driver.advance((await driver.view()).currentPeriodEnd ?? '');
  epoch = (await fenceIfRestored(db.pool, { sweepNumber: null, announced: { actor: 'operator:ada' } })) ?? 0;
});
afterAll(() => db?.close());

/** Without a Temporal client: code that signals or starts a workflow throws. */
const activities = (rails: readonly Rail[]) =>
  createRestoreActivities({
    pool: db.pool,
    logger: pino({ level: 'silent' }),
    secretBox: testSecretBox,
    session: { railCallTimeoutSeconds: 4 },
    rails: new Map(rails.map((rail, n) => [`rail${n}`, rail])),
  } as unknown as ActivityDeps);

test('the comparison waits until calls started before the fence have ended and the slowest rail shows them', async () => {
  const { waitMs: withoutLag } = await activities([sandbox]).beginComparison(epoch);
  expect(withoutLag).toBeGreaterThan(0);
  expect(withoutLag).toBeLessThanOrEqual(4_000);
  const { waitMs } = await activities([sandbox, LAGGING]).beginComparison(epoch);
  expect(waitMs).toBeGreaterThan(10_000);
  expect(waitMs).toBeLessThanOrEqual(14_000);
});

test('a charge for a period that has not begun in the copy is listed until the period is charged, and does not keep the fence up', async () => {
  const reference = await db.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select period_payment_id(id, date_trunc('milliseconds', current_period_end), 1) as id
    from subscriptions where id = ${subscriptionId}`);
  const at = new Date().toISOString();
  const charge = { reference, amountCents: 1_900, currency: 'EUR', at, outcome: 'approved' };
  const account = { rail_account_id: shop.railAccountId };
  await storeComparison(db.pool, epoch, account, { charges: [charge], refunds: [], disputes: [] });
  const { adoptFindings } = activities([sandbox]);
  expect(await new MockActivityEnvironment().run(adoptFindings, epoch)).toMatchObject({ waits: false });
  const state = sql.type(z.object({ state: z.string() }))`
    select state from restore_findings where reference = ${reference}`;
  expect(await db.pool.oneFirst(state)).toBe('person');
});

test('a charge requested before the next scheduled retry is claimed, and the comparison waits for it', async () => {
  const reference = await db.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select period_payment_id(subscription_id, period_start, 2) as id
    from invoices where subscription_id = ${pastDue} and status = 'payment_failed'`);
  const at = new Date().toISOString();
  const charge = { reference, amountCents: 900, currency: 'EUR', at, outcome: 'approved' };
  const account = { rail_account_id: shop.railAccountId };
  await storeComparison(db.pool, epoch, account, { charges: [charge], refunds: [], disputes: [] });
  const { adoptFindings } = activities([sandbox]);
  expect(await new MockActivityEnvironment().run(adoptFindings, epoch)).toMatchObject({ waits: true });
  const { openAttempt } = await driverOf(db.pool, pastDue, () => DECLINED).view();
  expect(openAttempt).toMatchObject({ attemptId: reference });
});

describe('the comparison of accounts', () => {
  const listings = new Map<string, () => ReturnType<Rail['listSince']>>();
  const listing: Rail = {
    ...sandbox,
    listSince: async ({ id }) => (await listings.get(id)?.()) ?? [],
    listRefundsSince: async () => [],
    listDisputesSince: async () => [],
  };
  const failing = (reason: UnknownReason) => () => Promise.reject(new RailListFailed('rail0', reason));
  const insertAccount = () =>
    insertRailAccount(db.pool, {
      merchantId: shop.merchantId,
      environment: 'sandbox',
      rail: 'rail0',
      status: 'disabled',
    });
  /** Runs the activity in its own epoch. */
  async function compareOnce(afterMinutes = 0, heartbeatDetails?: unknown): Promise<void> {
    const { compareAccounts } = activities([listing]);
    const scheduledTimestampMs = Date.now() - afterMinutes * 60_000;
    const attempt = new MockActivityEnvironment({ scheduledTimestampMs, heartbeatDetails });
    attempt.on('heartbeat', (details) => void beats.push(details));
    await attempt.run(compareAccounts, epoch);
  }
  const beats: unknown[] = [];
  const idsOf = (query: ReturnType<typeof sql.fragment>) =>
    db.pool.anyFirst(sql.type(z.object({ id: z.string() }))`select rail_account_id as id ${query}`);
  const compared = () => idsOf(sql.fragment`from restored_accounts where epoch = ${epoch}`);
  const paused = () => idsOf(sql.fragment`from rail_breakers where paused_by = 'restore' and rail = 'rail0'`);
  let accounts: string[];

  beforeEach(async () => {
    epoch += 1;
    listings.clear();
    accounts = (await Promise.all([insertAccount(), insertAccount(), insertAccount()])).toSorted();
  });

  test.each<UnknownReason>(['account_refused', 'misconfigured'])(
    'pauses only the account that answers %s, and does not keep the others fenced',
    async (reason) => {
      listings.set(accounts[0] ?? '', failing(reason));
      await compareOnce();
      expect(await compared()).toEqual(expect.arrayContaining(accounts));
      expect(await paused()).toContain(accounts[0]);
      expect(await paused()).not.toContain(accounts[1]);
    },
  );

  test('pauses an account whose list is unreadable for ten minutes, because an answer may have been truncated', async () => {
    listings.set(accounts[0] ?? '', failing('malformed_answer'));
    await expect(compareOnce(9)).rejects.toThrow('malformed_answer');
    expect(await compared()).not.toContain(accounts[0]);
    await compareOnce(11);
    expect(await compared()).toContain(accounts[0]);
    expect(await paused()).toContain(accounts[0]);
  });

  test('includes an account whose list is truncated once, at the end of a long outage', async () => {
    const answers = [failing('malformed_answer')];
    listings.set(accounts[0] ?? '', () => (answers.shift() ?? (async () => []))());
    await compareOnce(60);
    expect(await compared()).toContain(accounts[0]);
    expect(await paused()).not.toContain(accounts[0]);
  });

  test('continues with the other accounts if one does not answer, and does not pause it', async () => {
    listings.set(accounts[0] ?? '', failing('server_error'));
    await expect(compareOnce(60)).rejects.toThrow('server_error');
    expect(await compared()).toEqual(expect.arrayContaining(accounts.slice(1)));
    expect(await compared()).not.toContain(accounts[0]);
    expect(await paused()).not.toContain(accounts[0]);
  });

  test('handles accounts that outlasted the previous attempt after the others', async () => {
    const [slow = '', other = ''] = accounts;
    const asked: string[] = [];
    for (const id of [slow, other])
      listings.set(id, async () => {
        asked.push(id);
        if (id === slow) await sleep(1_500);
        throw new RailListFailed('rail0', 'timeout');
      });
    await expect(compareOnce()).rejects.toThrow('timeout');
    expect(beats).toContainEqual([slow]);
    await expect(compareOnce(0, [slow])).rejects.toThrow();
    expect(asked).toEqual([slow, other, other]);
    listings.delete(other);
    await expect(compareOnce(0, [slow])).rejects.toThrow('are not compared yet');
    expect(await compared()).toEqual(expect.arrayContaining(accounts.slice(1)));
    listings.delete(slow);
    await compareOnce(0, [slow]);
    expect(await compared()).toContain(slow);
  });

  test('reads the three lists of an account concurrently', async () => {
    let open = 0;
    const opened: number[] = [];
    const list = async () => {
      opened.push(++open);
      await sleep(10);
      open -= 1;
      return [];
    };
    const lists = { listSince: list, listRefundsSince: list, listDisputesSince: list };
    const { compareAccounts } = activities([{ ...sandbox, ...lists }]);
    await new MockActivityEnvironment().run(compareAccounts, epoch);
    expect(Math.max(...opened)).toBe(3);
  });

  test('lists a charge whose amount no payment can have for an operator', async () => {
    const reference = `stranger_${accounts[0]}`;
    const at = new Date().toISOString();
    const charge = {
      reference,
      outcome: 'challenge',
      amountCents: 99_999_999_999,
      currency: 'IDR',
      quantity: null,
      at,
    };
    listings.set(accounts[0] ?? '', async () => [{ ...charge, outcome: 'challenge' }]);
    await compareOnce();
    expect(await compared()).toContain(accounts[0]);
    await listForAPerson(db.pool, epoch);
    expect((await listIncidents(db.pool)).find(({ id }) => id === reference)).toMatchObject({
      amount: 99_999_999_999,
    });
  });
});
