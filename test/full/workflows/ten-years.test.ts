/**
 * Ten years of billing every four weeks and a year of daily billing: histories stay short, and nothing is billed twice.
 * A renewal takes 0.1 s of CPU time; ten years of daily billing took as long as the rest of `npm run test:full`.
 */
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

/** Temporal warns from 10,240 events on, and ends a run at 51,200. */
const LONGEST_HISTORY = 10_240;

let world: SessionWorld;

beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterAll(() => world.close());

test.each([
  { interval: 'week', intervalCount: 4, daysOfPeriod: 28, years: 10, runs: 2 },
  { interval: 'day', intervalCount: 1, daysOfPeriod: 1, years: 1, runs: 1 },
] as const)(
  'a subscription keeps a short history and is billed once for every $daysOfPeriod days of $years years',
  async ({ interval, intervalCount, daysOfPeriod, years, runs }) => {
    const { productId } = await insertProduct(world.pool, {
      merchantId: world.shop.merchantId,
      price: { ...RECURRING, interval, intervalCount, amount: 100 },
    });
    const id = await subscribe(world, { productId });
    const later = await afterFirstPeriod(world, id);
    const end = Math.floor((365 * years) / daysOfPeriod) * daysOfPeriod;
    for (let year = 1; year <= years; year++) {
      await update(world, id, advanceClockUpdate, { to: later(Math.min(365 * year, end)) });
      // Without a limit per year, because other suites share the machine; the test has a limit for all.
      await untilArrived(world, id);
    }

    // One more than fits, because the last renewal is at the end itself; the first period was bought.
    const renewals = end / daysOfPeriod + 1;
    const periods = await world.pool.one(sql.type(
      z.object({ n: z.number(), settled: z.number(), whole: z.boolean() }),
    )`
    select count(*) as n, count(*) filter (where status = 'created') as settled,
      max(period_end) - min(period_start) = make_interval(hours => ${24 * daysOfPeriod} * count(*)::integer) as whole
    from invoices where subscription_id = ${id}
  `);
    expect(periods).toEqual({ n: renewals + 1, settled: renewals + 1, whole: true });
    expect(await chargesOf(world, id)).toHaveLength(renewals);
    const lengths = await lengthsOfRuns(id);
    expect(lengths.length).toBeGreaterThanOrEqual(runs);
    for (const length of lengths) expect(length).toBeLessThan(LONGEST_HISTORY);
  },
  1_800_000,
);

async function lengthsOfRuns(id: string): Promise<readonly number[]> {
  const lengths: number[] = [];
  for await (const { runId, historyLength } of world.client.workflow.list({
    query: `WorkflowId = "${id}"`,
  })) {
    const described = await world.client.workflow.getHandle(id, runId).describe();
    lengths.push(Math.max(historyLength, described.historyLength));
  }
  return lengths;
}
