import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { cancelUpdate, completeChallengeUpdate } from '../../../workflows/session/session-messages.ts';
import { cancelSubscriptionUpdate } from '../../../workflows/subscription/subscription-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { letExpire } from '../../support/db/attempts.ts';
import { eventTypesOf, invoicesOf } from '../../support/db/subscriptions.ts';
import { keepHistory } from '../../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import {
  advance,
  afterFirstPeriod,
  CARDS,
  changeMethod,
  chargesOf,
  subscribe,
  untilView,
  update,
  viewOf,
} from '../../support/world/subscription-world.ts';

const DECLINED = '4000000000000002';
const MASTERCARD = '5555555555554444';

let world: SessionWorld;

beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterAll(() => world.close());

const handle = (id: string) => world.client.workflow.getHandle(id);
const methodOf = (id: string) =>
  world.pool.oneFirst(sql.type(z.object({ brand: z.string() }))`
    select payment_method ->> 'brand' as brand from subscriptions where id = ${id}
  `);
const told = async (id: string) =>
  (await eventTypesOf(world.pool, id)).filter((type) => type.startsWith('payment_method.'));
/** The buyer authenticates with the bank, and the browser returns. */
async function confirm(id: string): Promise<void> {
  const paymentId = (await world.view(id)).openAttempt?.attemptId ?? '';
  await world.answerChallenge(id, 'approve');
  await handle(id).executeUpdate(completeChallengeUpdate, { args: [{ attemptId: paymentId }] });
}
async function pastDue(): Promise<string> {
  const id = await subscribe(world, { card: CARDS.hardDecline });
  const later = await afterFirstPeriod(world, id);
  await advance(world, id, later(1));
  expect((await viewOf(world, id)).status).toBe('past_due');
  return id;
}

describe('a method change', () => {
  test('moves no money and replaces the mandate, which later charges use', async () => {
    const id = await subscribe(world);
    const change = await changeMethod(world, id);
    await world.pay(change.id, MASTERCARD);
    expect(await handle(change.id).result()).toMatchObject({ state: 'succeeded' });
    await keepHistory(handle(change.id), 'method-changed');
    expect(await methodOf(id)).toBe('mastercard');
    expect(await told(id)).toEqual(['payment_method.updated']);
    const later = await afterFirstPeriod(world, id);
    await advance(world, id, later(1));
    expect(await chargesOf(world, id)).toEqual([900]);
    const orders = await world.pool.oneFirst(sql.type(z.object({ n: z.number() }))`
      select count(*) as n from orders where checkout_id = ${change.id}
    `);
    expect(orders).toBe(0);
  });

  test("makes the subscription's workflow charge past-due invoices immediately", async () => {
    const id = await pastDue();
    const change = await changeMethod(world, id);
    await world.pay(change.id, CARDS.approved);
    await handle(change.id).result();
    await untilView(world, id, ({ status }) => status === 'active', 10_000);
    expect((await invoicesOf(world.pool, id)).map(({ status }) => status)).toEqual(['created', 'created']);
    expect(await chargesOf(world, id)).toEqual([900]);
    expect(await told(id)).toEqual(['payment_method.updated_required', 'payment_method.updated']);
    await keepHistory(handle(id), 'subscription-method-changed-and-paid');
  });

  test('asks for strong authentication when the bank does', async () => {
    const id = await subscribe(world);
    const change = await changeMethod(world, id);
    await world.pay(change.id, CARDS.challengeOnce);
    await world.until(change.id, 'requires_action');
    await confirm(change.id);
    await world.until(change.id, 'succeeded');
    expect(await told(id)).toEqual(['payment_method.updated']);
    await handle(change.id).result();
    await keepHistory(handle(change.id), 'method-changed-after-challenge');
  });

  test('stays open after a decline, and fails when its attempts are used up', async () => {
    const id = await subscribe(world);
    const change = await changeMethod(world, id);
    for (const state of ['created', 'created', 'failed'] as const) {
      await world.pay(change.id, DECLINED);
      await world.until(change.id, state);
    }
    expect(await methodOf(id)).toBe('visa');
    expect(await told(id)).toEqual(['payment_method.update_failed']);
    expect(await eventTypesOf(world.pool, id)).not.toContain('payment.failed');
    await handle(change.id).result();
    await keepHistory(handle(change.id), 'method-change-failed');
  });

  test('fails after 15 minutes, and when it is cancelled', async () => {
    const id = await subscribe(world);
    const expired = await changeMethod(world, id);
    const lifetime = await world.pool.oneFirst(sql.type(z.object({ seconds: z.number() }))`
      select extract(epoch from expires_at - created_at) as seconds from checkouts where id = ${expired.id}
    `);
    expect(lifetime).toBe(900);
    await letExpire(world.pool, expired.id);
    await world.pay(expired.id, CARDS.approved).catch(() => {});
    await eventually(async () => expect(await told(id)).toEqual(['payment_method.update_failed']));
    await handle(expired.id).result();
    await keepHistory(handle(expired.id), 'method-change-expired');
    const cancelled = await changeMethod(world, id);
    await handle(cancelled.id).executeUpdate(cancelUpdate, { args: [{ what: 'session' }] });
    await handle(cancelled.id).result();
    await keepHistory(handle(cancelled.id), 'method-change-cancelled');
    expect(await told(id)).toHaveLength(2);
  });

  test('can no longer be used once a newer change supersedes it', async () => {
    const id = await subscribe(world);
    const older = await changeMethod(world, id);
    const newer = await changeMethod(world, id);
    expect(await world.pay(older.id, MASTERCARD)).toMatchObject({ kind: 'refused', reason: 'finished' });
    await world.pay(newer.id, MASTERCARD);
    await world.until(newer.id, 'succeeded');
    expect(await methodOf(id)).toBe('mastercard');
    // An event about the older one's end would contradict the newer one's success.
    await letExpire(world.pool, older.id);
    await world.pay(older.id, MASTERCARD).catch(() => {});
    await handle(older.id).result();
    expect(await told(id)).toEqual(['payment_method.updated']);
  });

  test('detaches its method if a newer change is created during its challenge: the newest wins', async () => {
    const id = await subscribe(world);
    const older = await changeMethod(world, id);
    await world.pay(older.id, CARDS.challengeOnce);
    await world.until(older.id, 'requires_action');
    await changeMethod(world, id);
    await confirm(older.id);
    await world.until(older.id, 'failed');
    const secret = await world.pool.oneFirst(sql.type(z.object({ same: z.boolean() }))`
      select s.credential_secret_ref = p.credential_secret_ref as same
      from subscriptions s, payments p where s.id = ${id} and p.checkout_id = ${older.id}
    `);
    expect(secret).toBe(false);
    expect(await told(id)).toEqual([]);
  });

  test('detaches its method if a newer change is created while it is being recorded: the newest wins', async () => {
    const id = await subscribe(world);
    const older = await changeMethod(world, id);
    await world.pay(older.id, CARDS.challengeOnce);
    await world.until(older.id, 'requires_action');
    const creator = new pg.Client({ connectionString: world.databaseUrl });
    await creator.connect();
    try {
      await creator.query('begin');
      await creator.query('select from subscriptions where id = $1 for update', [id]);
      await confirm(older.id);
      await eventually(async () =>
        expect(
          await world.pool.exists(sql.unsafe`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
        ).toBe(true),
      );
      await creator.query(
        `update subscriptions set newest_method_change_id = new_id('ap_pmc_') where id = $1`,
        [id],
      );
      await creator.query('commit');
    } finally {
      await creator.end();
    }
    await world.until(older.id, 'failed');
    expect(await told(id)).toEqual([]);
  });

  test('is not applied to a subscription that has ended since it was created', async () => {
    const id = await subscribe(world);
    const change = await changeMethod(world, id);
    await update(world, id, cancelSubscriptionUpdate, { atPeriodEnd: false });
    await handle(id).result();
    await world.pay(change.id, MASTERCARD);
    await world.until(change.id, 'failed');
    expect(await methodOf(id)).toBe('visa');
    expect(await told(id)).toEqual(['payment_method.update_failed']);
  });
});
