/** Queries of the sweep and the relay about sessions without a workflow, and claims without a call. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { CURRENCIES } from '../../domain/core/money.ts';
import type { SessionToStart } from '../../domain/session/session.ts';
import { camelCased, type Db, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';

const startable = camelCased({
  id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  product_name: z.string(),
  amount: z.number(),
  currency: z.enum(CURRENCIES),
  expires_at: z.string(),
  ms_to_expiry: z.number(),
}) satisfies z.ZodType<SessionToStart>;

const startableColumns = sql.fragment`
  c.id, c.merchant_id, c.environment, c.terms #>> '{product,name}' as product_name, c.amount,
  c.currency, c.expires_at,
  ms_between(service_clock(), c.expires_at) as ms_to_expiry`;

/** Returns sessions older than a second whose workflow may not exist; normally the API has started it by then. */
export function unstartedSessions(db: Db, limit: number): Promise<readonly SessionToStart[]> {
  return db.any(sql.type(startable)`
    select ${startableColumns} from checkouts c
    where c.workflow_started_at is null and c.state not in ('succeeded', 'failed')
      and c.created_at < ${NOW} - interval '1 second'
    order by c.created_at limit ${limit}
  `);
}

const claimWithoutCall = camelCased({
  checkout_id: z.string(),
  claim_id: z.string(),
  payment_id: z.string(),
});
export type ClaimWithoutCall = z.infer<typeof claimWithoutCall>;

/**
 * Returns claimed attempts that were not sent to the rail in time, in random order: the update that created them may
 * have been lost (rule 43).
 */
export function claimsWithoutCall(db: Db, limit: number): Promise<readonly ClaimWithoutCall[]> {
  return db.any(sql.type(claimWithoutCall)`
    select c.id as checkout_id, p.claim_id, p.id as payment_id
    from checkouts c join payments p on p.checkout_id = c.id
    where c.state not in ('succeeded', 'failed') and c.next_action_at < ${NOW}
      and p.status = 'processing' and p.call_started_at is null
    order by random() limit ${limit}
  `);
}

export function findSessionToStart(db: Db, checkoutId: string): Promise<SessionToStart | null> {
  return db.maybeOne(sql.type(startable)`
    select ${startableColumns} from checkouts c
    where c.id = ${checkoutId} and c.state not in ('succeeded', 'failed')
  `);
}
