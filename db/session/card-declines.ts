/** Declined first payments, counted to find card testing. A renewal's decline is none of a buyer's (rule 53). */
import { z } from 'zod';
import { type Declines, KINDS_OF_DECLINES } from '../../domain/session/card-testing.ts';
import { type Db, sql, type Transaction } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';

/** Written with the decline, so that an approved purchase costs no statement. */
export async function countDecline(tx: Transaction, paymentId: string): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into card_declines (merchant_id, environment, client_id, address)
    select p.merchant_id, p.environment, s.client_id, r.address
    from payments p left join storefront_sessions s on s.checkout_id = p.checkout_id
    left join pay_requests r on r.claim_id = p.claim_id
    where p.id = ${paymentId}
  `);
}

const counted = z.object({ recent: z.number(), day: z.number() });
export const declinesOfClick = z.object({
  address: counted,
  client: counted,
  merchant: counted,
}) satisfies z.ZodType<Declines>;

export interface Counted {
  readonly address: Buffer;
  /** More rows are not read. */
  readonly most: number;
}

/** In the statement that reads the session `c` at `clock`. */
export function selectDeclines(of: Counted | null) {
  if (!of) return sql.fragment`null::jsonb`;
  const same = {
    address: sql.fragment`d.address = ${sql.binary(of.address)}`,
    client: sql.fragment`d.client_id = (select client_id from storefront_sessions where checkout_id = c.id)`,
    merchant: sql.fragment`d.merchant_id = c.merchant_id`,
  };
  const parts = KINDS_OF_DECLINES.map(
    (kind) => sql.fragment`${kind}::text, (
      select jsonb_build_object('day', count(*), 'recent', count(*) filter (where at > clock.at - interval '10 minutes'))
      from (
        select d.at from card_declines d
        where ${same[kind]} and d.environment = c.environment and d.at > clock.at - interval '1 day'
        order by d.at desc limit ${of.most}
      ) each)`,
  );
  return sql.fragment`jsonb_build_object(${sql.join(parts, sql.fragment`, `)})`;
}

/** Also the addresses of clicks that became no attempt. @returns how many rows it changed or deleted */
export async function forgetDeclines(db: Db, limit: number): Promise<number> {
  const { rowCount: deleted } = await db.query(sql.typeAlias('void')`
    delete from card_declines where id = any (array(
      select id from card_declines where at < ${NOW} - interval '1 day' order by at limit ${limit}))`);
  const { rowCount: cleared } = await db.query(sql.typeAlias('void')`
    update pay_requests set address = null where claim_id = any (array(
      select claim_id from pay_requests
      where address is not null and created_at < ${NOW} - interval '1 day' order by created_at limit ${limit}))`);
  return Math.max(deleted, cleared);
}
