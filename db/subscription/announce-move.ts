/**
 * Announces price moves to their subscribers, and withdraws cancelled ones, for the sweep. Whom a move misses is read
 * from the rows alone: a crash between two subscriptions leaves the rest to the next round, and a second sweep finds
 * nothing to do.
 */
import { z } from 'zod';
import { MAX_CENTS } from '../../domain/core/money.ts';
import { camelCased, type Db, type Pool, sql } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { announcedMove } from './announced-move.ts';
import { BILLED } from './billed-statuses.ts';
import { recordSubscriptionEvent } from './subscription-events.ts';
import { lockSubscription, OPEN_CHANGE, saveSubscription } from './subscription-row.ts';

/**
 * Selects the code why a subscription `s` is not moved now, null if it is: it ends first, or leaves its price by another
 * change; `new_price` would be too much for its quantity. When the reason ends, the next sweep announces the move.
 */
export const refusalOfMove = sql.fragment`case
  when s.ends_with_period or s.cancel_requested_at is not null then 'subscription_cancel_scheduled'
  when s.charging_stopped_at is not null then 'subscription_charging_stopped'
  when exists (select from subscription_changes c where c.subscription_id = s.id and c.status in ${OPEN_CHANGE}
    and c.target_price_id <> s.price_id) then 'subscription_change_scheduled'
  when new_price.amount::bigint * s.quantity > ${MAX_CENTS} then 'subscription_quantity_invalid' end`;

/** The notice is counted from the announcement, by the subscription's clock. */
export const noticeOfMove = sql.fragment`
  greatest(move.from_at, subscription_clock(s.id) + move.notice_days * interval '1 day')`;

/** A move from a price that is sold again misses nobody: whoever buys at it has just agreed to it. */
const fromMissed = sql.fragment`from price_moves move
  join prices old_price on old_price.id = move.old_price_id and old_price.status = 'inactive'
  join prices new_price on new_price.id = move.new_price_id
  join subscriptions s on s.price_id = move.old_price_id and s.environment = move.environment
  where move.cancelled_at is null and s.status in ${BILLED}
    and (s.price_move_id is null or s.price_move_id <> move.id) and ${refusalOfMove} is null`;
const fromCancelled = sql.fragment`from price_moves move
  join subscriptions s on s.price_move_id = move.id and s.price_id = move.old_price_id
  where move.cancelled_at is not null and s.status in ${BILLED}`;

const due = camelCased({ subscription_id: z.string() });

export function movesToAnnounce(db: Db, limit: number): Promise<readonly z.infer<typeof due>[]> {
  return db.any(sql.type(due)`
    select s.id as subscription_id ${fromMissed}
    union all select s.id ${fromCancelled}
    limit ${limit}
  `);
}

/** Announces the move of its price to a subscription, or withdraws a cancelled one, unless that is done already. */
export function announceMove(pool: Pool, subscriptionId: string): Promise<void> {
  return inTransaction(pool, async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId, 'briefly');
    const missed = await tx.maybeOne(sql.type(announcedMove)`
      select move.id, ${noticeOfMove} as from, move.old_price_id, move.new_price_id, new_price.amount as unit_amount,
        false as is_cancelled
      ${fromMissed} and s.id = ${subscriptionId}
    `);
    const { price_id: priceId, price_move: known } = subscription;
    const isWithdrawn = known?.is_cancelled && known.old_price_id === priceId;
    if (!missed && !isWithdrawn) return;
    const told = await saveSubscription(tx, subscription, { price_move: missed });
    await recordSubscriptionEvent(tx, told, { type: 'subscription.updated' });
  });
}
