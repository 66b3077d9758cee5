/** The millionth invoice of a year has one digit more, in every place that formats or parses the number. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import { advance, CARDS, chargesOf, subscribe, viewOf } from '../../support/world/subscription-world.ts';

let world: SessionWorld;

beforeEach(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterEach(() => world?.close());

/** Newest first. */
const numbers = () =>
  world.pool.anyFirst(sql.type(z.object({ number: z.string() }))`
    select number from invoices where merchant_id = ${world.shop.merchantId} order by id desc`);

/** Sets the year's counter; the existing invoice stands for the earlier ones. */
async function haveIssued(last: number, year: number): Promise<void> {
  const { merchantId, environment } = world.shop;
  await world.pool.query(sql.unsafe`
    insert into invoice_counters (merchant_id, environment, year, last_number)
    values (${merchantId}, ${environment}, ${year}, ${last})
    on conflict (merchant_id, environment, series, year) do update set last_number = excluded.last_number`);
  await world.pool.query(sql.unsafe`update invoices set number = ${`${year}-100000`}`);
}

async function buy(): Promise<void> {
  const id = await world.session();
  await world.pay(id, CARDS.approved);
  await world.until(id, 'succeeded', 10_000);
}

test('a purchase gets the millionth invoice number, and the next purchase the following one', async () => {
  const year = new Date().getUTCFullYear();
  await buy();
  await haveIssued(999_998, year);
  for (let count = 0; count < 3; count += 1) await buy();
  expect(await numbers()).toEqual(
    ['1000001', '1000000', '999999', '100000'].map((number) => `${year}-${number}`),
  );
});

test('a renewal gets the millionth invoice number, and is charged once', async () => {
  const id = await subscribe(world);
  const renewsAt = (await viewOf(world, id)).currentPeriodEnd ?? '';
  const year = new Date(renewsAt).getUTCFullYear();
  await haveIssued(999_999, year);
  expect(await advance(world, id, renewsAt)).toMatchObject({ status: 'active', openAttempt: null });
  expect(await numbers()).toEqual([`${year}-1000000`, `${year}-100000`]);
  expect(await chargesOf(world, id)).toHaveLength(1);
});
