/** The outbox of webhooks. */
import { type Db, run } from './pool.ts';

export interface DueEvent {
  readonly sequence: string;
  readonly body: string;
  /** Number of earlier attempts to deliver it. */
  readonly attempts: number;
  readonly webhookUrl: string;
  readonly webhookSecret: string;
}

/** @param delayMs delay before the first attempt */
export async function insertEvent(
  db: Db,
  accountId: string,
  id: string,
  body: string,
  delayMs: number,
): Promise<void> {
  await run(
    db,
    `insert into events (account_id, id, body, next_attempt_at)
     values ($1, $2, $3, clock_timestamp() + $4::float8 * interval '1 ms')`,
    [accountId, id, body, delayMs],
  );
}

/**
 * Leases due events for `leaseMs`: after a crash they become due again. Events of accounts without a webhook URL
 * wait until the account has one.
 */
export async function leaseDueEvents(db: Db, limit: number, leaseMs: number): Promise<DueEvent[]> {
  return run<DueEvent>(
    db,
    `with due as (
       select e.sequence from events e join accounts a on a.id = e.account_id
       where e.next_attempt_at <= clock_timestamp()
         and a.webhook_url is not null and a.webhook_secret is not null
       order by e.next_attempt_at limit $1 for update of e skip locked
     )
     update events e
     set attempts = e.attempts + 1, next_attempt_at = clock_timestamp() + $2::float8 * interval '1 ms'
     from due, accounts a
     where e.sequence = due.sequence and a.id = e.account_id
     returning e.sequence, e.body, e.attempts - 1 as attempts,
       a.webhook_url as "webhookUrl", a.webhook_secret as "webhookSecret"`,
    [limit, leaseMs],
  );
}

export async function markDelivered(db: Db, sequence: string): Promise<void> {
  await run(
    db,
    'update events set delivered_at = clock_timestamp(), next_attempt_at = null where sequence = $1',
    [sequence],
  );
}

/** @param afterMs delay before the next attempt; null gives up */
export async function retryEvent(db: Db, sequence: string, afterMs: number | null): Promise<void> {
  await run(
    db,
    `update events set next_attempt_at = clock_timestamp() + $2::float8 * interval '1 ms' where sequence = $1`,
    [sequence, afterMs],
  );
}
