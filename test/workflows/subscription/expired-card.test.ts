/** The sandbox checks a card's expiry by the subscription's clock. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { addDays } from '../../../domain/core/calendar.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import { advance, afterFirstPeriod, chargesOf, subscribe } from '../../support/world/subscription-world.ts';

let world: SessionWorld;
beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterAll(() => world?.close());

test('a renewal after the end of the month on the card is declined as expired', async () => {
  const now = new Date();
  // Valid through the month in which the first period ends.
  const inAMonth = new Date(addDays(now.toISOString(), 31));
  Object.assign(world.cardExpiry, {
    expMonth: inAMonth.getUTCMonth() + 1,
    expYear: inAMonth.getUTCFullYear(),
  });
  const id = await subscribe(world);
  const day = await afterFirstPeriod(world, id);
  await advance(world, id, day(1));
  expect(await chargesOf(world, id)).toEqual([900]);
  await advance(world, id, day(64));
  await eventually(async () => {
    const codes = await world.pool.anyFirst(sql.type(z.object({ code: z.string().nullable() }))`
      select p.failure_code as code from payments p join invoices i on i.id = p.invoice_id
      where i.subscription_id = ${id} and p.status = 'failed'`);
    expect(codes).toContain('expired_card');
  });
});
