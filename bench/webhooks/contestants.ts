/** How each contestant publishes: one transaction per event, as a state change would write it. */
import { randomUUID } from 'node:crypto';
import { type Pool, sql } from '../../db/core/pool.ts';
import { inTransaction } from '../../db/core/transaction.ts';
import { recordEvent } from '../../db/webhook/events.ts';
import type { Scope } from '../../domain/core/environment.ts';

export interface Contestant {
  readonly name: 'deliverEvents' | 'graphile-worker';
  readonly script: string;
  /** @returns the event's id */
  publish(): Promise<string>;
  /** Publishes a whole backlog in one transaction. */
  fill(count: number): Promise<void>;
}

const payment = { id: 'ap_pay_0198c0ffee', rail: 'sandbox', status: 'succeeded' } as const;

/** @param waking the pool whose commits wake endpoints; a backlog is not announced */
export function deliverEvents(pool: Pool, waking: Pool, scope: Scope): Contestant {
  const event = () => ({
    scope,
    type: 'payment.succeeded' as const,
    aggregateId: randomUUID(),
    aggregateVersion: 1,
    payment,
  });
  return {
    name: 'deliverEvents',
    script: 'ours.ts',
    publish: () => inTransaction(waking, (tx) => recordEvent(tx, event())),
    async fill(count) {
      await inTransaction(pool, async (tx) => {
        for (let i = 0; i < count; i += 1) await recordEvent(tx, event());
      });
    },
  };
}

export function graphileWorker(pool: Pool, body: string): Contestant {
  const payload = () => {
    const eventId = `evt_${randomUUID().replaceAll('-', '')}`;
    return { eventId, body };
  };
  return {
    name: 'graphile-worker',
    script: 'graphile.ts',
    async publish() {
      const job = payload();
      await pool.transaction((tx) =>
        tx.query(sql.unsafe`select graphile_worker.add_job('deliver', ${JSON.stringify(job)}::json)`),
      );
      return job.eventId;
    },
    async fill(count) {
      await pool.transaction(async (tx) => {
        for (let i = 0; i < count; i += 1) {
          await tx.query(
            sql.unsafe`select graphile_worker.add_job('deliver', ${JSON.stringify(payload())}::json)`,
          );
        }
      });
    },
  };
}

/** A body in our events' format, for contestants that do not write our rows. */
export async function sampleBody(pool: Pool, scope: Scope): Promise<string> {
  let body = '';
  const rollBack = new Error('only a sample');
  await inTransaction(pool, async (tx) => {
    const id = await recordEvent(tx, {
      scope,
      type: 'payment.succeeded',
      aggregateId: 'sample',
      aggregateVersion: 1,
      payment,
    });
    body = String(await tx.oneFirst(sql.unsafe`select body from events where id = ${id}`));
    throw rollBack;
  }).catch((error: unknown) => {
    if (error !== rollBack) throw error;
  });
  return body;
}
