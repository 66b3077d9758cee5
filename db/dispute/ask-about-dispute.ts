/** An operator's request to look up a dispute, stored like a webhook: the sweep asks the rail until it answers. */
import { z } from 'zod';
import { type Db, sql } from '../core/pool.ts';

const question = z.object({ rail_account_id: z.string(), rail_event_id: z.string() });
export type DisputeQuestion = z.infer<typeof question>;

/** The prefix of `rail_event_id` in such a row; other rows have the rail's own event ids. */
export const ASKED_BY_OPERATOR = 'asked-by-operator-';

export function askAboutDispute(db: Db, disputeId: string): Promise<DisputeQuestion> {
  return db.one(sql.type(question)`
    insert into rail_webhooks (rail_account_id, rail_event_id, reference, hint)
    select rail_account_id, ${ASKED_BY_OPERATOR} || gen_random_uuid(), payment_id, 'dispute'
    from disputes where id = ${disputeId}
    returning rail_account_id, rail_event_id`);
}

/** @returns the status in the rail's answer to the request; null while there is no answer */
export function answeredStatus(
  db: Db,
  disputeId: string,
  { rail_account_id: accountId, rail_event_id: eventId }: DisputeQuestion,
): Promise<string | null> {
  return db.maybeOneFirst(sql.type(z.object({ status: z.string() }))`
    select d.status from disputes d join rail_webhooks n
      on n.rail_account_id = ${accountId} and n.rail_event_id = ${eventId} and n.applied_at is not null
    where d.id = ${disputeId}`);
}
