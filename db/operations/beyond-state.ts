/** Facts about a subject that its state alone does not show. */
import { z } from 'zod';
import type { Subject } from '../../contract/operations/subjects.ts';
import { type Db, sql } from '../core/pool.ts';
import { failureOf } from '../webhook/endpoint-failure.ts';

/** Returns the description that replaces that of the state, or null. */
export function beyondState(
  db: Db,
  { id, kind, state }: Subject,
  nextAt: string | null,
): Promise<string | null> {
  if (kind === 'endpoint' && state === 'enabled') return whileFailing(db, id, nextAt);
  if (kind === 'payment' && ['failed', 'cancelled'].includes(state)) return ifReturned(db, id);
  if (kind === 'merchant' && state === 'active') return ifWithoutEndpoint(db, id);
  return Promise.resolve(null);
}

async function ifWithoutEndpoint(db: Db, id: string): Promise<string | null> {
  const receives = await db.exists(sql.typeAlias('void')`
    select from webhook_endpoints where merchant_id = ${id} and status <> 'deleted'`);
  return receives ? null : 'Can sell. Receives no webhooks: it has no endpoint.';
}

/** Describes a charge that succeeded after its attempt had ended, once the buyer has the money back. */
async function ifReturned(db: Db, id: string): Promise<string | null> {
  const isReturned = await db.exists(sql.typeAlias('void')`
    select from orphaned_charges where payment_id = ${id} and returned_at is not null and amount > 0`);
  return isReturned ? 'Charged after it had ended, and returned to the buyer.' : null;
}

const failing = z.object({ failing_since: z.string(), waiting: z.int() });

/** Describes an endpoint whose attempts have all failed since it last accepted an event. */
async function whileFailing(db: Db, id: string, nextAt: string | null): Promise<string | null> {
  const found = await db.maybeOne(sql.type(failing)`
    select failing_since, waiting from webhook_endpoints e, lateral (${failureOf(sql.fragment`e.id`)}) failure
    where e.id = ${id} and failing_since is not null`);
  if (!found) return null;
  const { failing_since: since, waiting } = found;
  const wait = waiting === 1 ? '1 event waiting' : `${waiting} events waiting`;
  return `Nothing accepted since ${since}; ${wait}${nextAt ? `, next attempt at ${nextAt}` : ''}.`;
}
