/** Subscriptions of another merchant, bought over HTTP, whose periods then end at a chosen time. */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { openTemporal } from '../../../platform/temporal/client.ts';
import { wakeSignal } from '../../../workflows/core/messages.ts';
import type { Arrivals } from '../core/arrivals.ts';
import { createBuyers } from '../core/buyers.ts';
import type { Drained } from '../core/floor.ts';
import { inParallel } from '../core/load.ts';
import type { Place } from '../core/place.ts';

const POLL_MS = 200;
/** After this time, every workflow that was woken is idle again. */
const WOKEN_MS = 5_000;
const count = z.object({ n: z.number() });

export async function openSubscribers(place: Place, arrivals: Arrivals) {
  const { dev } = place;
  const { id: merchantId, apiKey, products } = dev.others.second;
  const pool = await openPool({ url: dev.databaseUrl, maxConnections: 8 });
  const client = openTemporal({ address: dev.temporalAddress, namespace: 'default' });
  const buyers = createBuyers(place, arrivals, {
    apiKey,
    productId: products.recurring ?? '',
    railAccount: 'acct_second',
  });

  async function subscribe(): Promise<void> {
    await buyers.click(await buyers.getReady(await buyers.create()));
  }

  function unstarted(): Promise<number> {
    return pool.oneFirst(sql.type(count)`
      select count(*) as n from subscriptions where merchant_id = ${merchantId} and workflow_started_at is null`);
  }

  function renewed(fromMs: number): Promise<number> {
    return pool.oneFirst(sql.type(count)`
      select count(*) as n from payments where merchant_id = ${merchantId} and checkout_id is null
        and status = 'succeeded' and created_at >= to_timestamp(${fromMs}::float8 / 1000)`);
  }

  return {
    async open(subscriptions: number): Promise<void> {
      await inParallel(subscriptions, subscribe);
      while ((await unstarted()) > 0) await pause(POLL_MS);
    },
    /** Ends the periods one after another, over this many seconds from a Unix time on; with 0, all at once. */
    async dueAt(atMs: number, overSeconds: number): Promise<void> {
      const ids = await endPeriods(pool, merchantId, atMs, overSeconds);
      await eachOf(ids, async (workflowId) => client.workflow.getHandle(workflowId).signal(wakeSignal));
      await pause(WOKEN_MS);
      // Clears the workers' caches, which do not hold a run that has slept for a month.
      await eachOf(ids, async (workflowId) => {
        await client.workflowService.resetStickyTaskQueue({
          namespace: 'default',
          execution: { workflowId },
        });
      });
      if (Date.now() > atMs) throw new Error('waking the subscriptions took too long: raise --lead');
    },
    /** @returns how long after its time each charge was settled */
    async untilRenewed(fromMs: number, subscriptions: number): Promise<Drained> {
      while ((await renewed(fromMs)) < subscriptions) await pause(POLL_MS);
      const { late, last } = await pool.one(sql.type(
        z.object({ late: z.array(z.number()), last: z.number() }),
      )`
        select jsonb_agg(late order by late) as late, max(settled) as last
        from (
          select (extract(epoch from p.updated_at - i.period_start) * 1000)::float8 as late,
            (extract(epoch from p.updated_at) * 1000 - ${fromMs}::float8)::float8 as settled
          from payments p join invoices i on i.id = p.invoice_id
          where p.merchant_id = ${merchantId} and p.checkout_id is null and p.status = 'succeeded'
            and p.created_at >= to_timestamp(${fromMs}::float8 / 1000)
        ) charges`);
      return { seconds: last / 1_000, lateMs: late };
    },
    async end(): Promise<void> {
      await pool.end();
      await client.connection.close();
      await buyers.end();
    },
  };
}

async function eachOf(ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<void> {
  const left = [...ids];
  await inParallel(left.length, () => act(left.pop() ?? ''));
}

/** @returns the ids of the subscriptions */
function endPeriods(pool: Pool, merchantId: string, atMs: number, overSeconds: number) {
  return pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    with placed as (
      select id, to_timestamp(${atMs}::float8 / 1000) + ${overSeconds}::float8 * interval '1 second'
        * (row_number() over (order by id) - 1) / count(*) over () as due
      from subscriptions where merchant_id = ${merchantId}
    )
    update subscriptions s set current_period_end = due, next_action_at = due,
      current_period_start = due - interval '1 month', billing_anchor = due - interval '1 month'
    from placed where placed.id = s.id returning s.id`);
}
