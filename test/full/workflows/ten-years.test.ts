/** Ten years of daily billing: the history stays short, and nothing is billed twice. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { advanceClockUpdate } from '../../../workflows/subscription/subscription-messages.ts';
import { insertProduct, RECURRING } from '../../support/db/fixtures.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import {
  afterFirstPeriod,
  chargesOf,
  subscribe,
  untilArrived,
  update,
} from '../../support/world/subscription-world.ts';

const YEARS = 10;
/** Temporal warns from 10,240 events on, and ends a run at 51,200. */
const LONGEST_HISTORY = 10_240;

let world: SessionWorld;

beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterAll(() => world.close());

test('keeps a short history and is billed once for each day', async () => {
  const { productId } = await insertProduct(world.pool, {
    merchantId: world.shop.merchantId,
    price: { ...RECURRING, interval: 'day', amount: 100 },
  });
  const id = await subscribe(world, { productId });
  const later = await afterFirstPeriod(world, id);
  for (let day = 365; day <= 365 * YEARS; day += 365) {
    await update(world, id, advanceClockUpdate, { to: later(day) });
    // The first years share the machine with all other suites; the test's limit bounds the sum.
    await untilArrived(world, id, 400_000);
  }

  const days = 365 * YEARS + 1;
  const periods = await world.pool.one(sql.type(
    z.object({ n: z.number(), settled: z.number(), whole: z.boolean() }),
  )`
    select count(*) as n, count(*) filter (where status = 'created') as settled,
      max(period_end) - min(period_start) = make_interval(hours => 24 * count(*)::integer) as whole
    from invoices where subscription_id = ${id}
  `);
  expect(periods).toEqual({ n: days + 1, settled: days + 1, whole: true });
  expect(await chargesOf(world, id)).toHaveLength(days);

  let runs = 0;
  for await (const { runId, historyLength } of world.client.workflow.list({
    query: `WorkflowId = "${id}"`,
  })) {
    runs += 1;
    const described = await world.client.workflow.getHandle(id, runId).describe();
    expect(Math.max(historyLength, described.historyLength)).toBeLessThan(LONGEST_HISTORY);
  }
  expect(runs).toBeGreaterThan(5);
}, 1_800_000);
