/**
 * Deletes sessions and clicks after their retention. A session's id begins with its creation time, so the primary key
 * finds the oldest.
 */
import { z } from 'zod';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';

/** Prefixes of the ids of purchases, changes of a payment method and payment links. */
const PREFIXES = ['ap_chk_', 'ap_pmc_', 'ap_lnk_'] as const;

const firstKeptId = (prefix: string, keptDays: number) =>
  sql.fragment`${prefix} || lpad(to_hex(unix_ms(${NOW} - ${keptDays} * interval '1 day')), 12, '0')`;

/**
 * Deletes sessions that ended without an attempt, with their clicks, and customers who have nothing else. Checks up to
 * `limit` sessions of each kind. Most had an attempt and are kept, so the next call continues after the checked ones.
 * @returns how many sessions were checked
 */
export async function deleteAbandonedSessions(pool: Pool, keptDays: number, limit: number): Promise<number> {
  let seen = 0;
  for (const prefix of PREFIXES)
    seen += await pool.transaction((tx) => deleteNext(tx, prefix, keptDays, limit));
  return seen;
}

const candidate = z.object({ id: z.string(), customer_id: z.string(), abandoned: z.boolean() });

async function deleteNext(tx: Transaction, prefix: string, keptDays: number, limit: number): Promise<number> {
  const through = await tx.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    select id from forgotten_through where kind = ${prefix} for update`);
  const next = await tx.any(sql.type(candidate)`
    select c.id, c.customer_id, c.state = 'failed'
      and not exists (select from payments where checkout_id = c.id)
      and not exists (select from orders where checkout_id = c.id)
      and not exists (select from subscriptions where checkout_id = c.id)
      and not is_in_question(c.id) as abandoned
    from checkouts c
    where c.id > ${through ?? prefix} and c.id < ${firstKeptId(prefix, keptDays)}
    order by c.id limit ${limit}`);
  const last = next.at(-1);
  if (!last) return 0;
  const abandoned = next.filter((session) => session.abandoned);
  const ids = sql.array(
    abandoned.map(({ id }) => id),
    'text',
  );
  await tx.query(sql.typeAlias('void')`delete from storefront_sessions where checkout_id = any (${ids})`);
  await tx.query(sql.typeAlias('void')`delete from clicks where checkout_id = any (${ids})`);
  await tx.query(sql.typeAlias('void')`delete from checkouts where id = any (${ids})`);
  await deleteCustomers(
    tx,
    abandoned.map(({ customer_id }) => customer_id),
    keptDays,
  );
  await tx.query(sql.typeAlias('void')`
    insert into forgotten_through (kind, id) values (${prefix}, ${last.id})
    on conflict (kind) do update set id = excluded.id`);
  return next.length;
}

/** Skips customers with a new session, which updates `updated_at` under the row's lock. */
async function deleteCustomers(tx: Transaction, ids: readonly string[], keptDays: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    delete from customers u
    where id = any (${sql.array([...new Set(ids)], 'text')})
      and updated_at < ${NOW} - ${keptDays} * interval '1 day' + interval '1 hour'
      and not exists (select from checkouts where customer_id = u.id)
      and not exists (select from orders where customer_id = u.id)
      and not exists (select from subscriptions where customer_id = u.id)
      and not exists (select from invoices where customer_id = u.id)`);
}

/**
 * Deletes clicks on sessions that have ended; the payment that a click created stays.
 *
 * @returns how many clicks were deleted
 */
export async function deleteClicks(db: Db, keptDays: number, limit: number): Promise<number> {
  let deleted = 0;
  for (const prefix of PREFIXES) {
    const { rowCount } = await db.query(sql.typeAlias('void')`
      delete from clicks where claim_id = any (array(
        select r.claim_id from clicks r join checkouts c on c.id = r.checkout_id
        where r.checkout_id > ${prefix} and r.checkout_id < ${firstKeptId(prefix, keptDays)}
          and c.state in ('succeeded', 'failed')
        order by r.checkout_id limit ${limit}
      ))`);
    deleted += rowCount;
  }
  return deleted;
}
