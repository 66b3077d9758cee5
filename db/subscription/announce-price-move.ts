/**
 * For the sweep: announces price moves to their subscribers, and withdraws cancelled moves. The subscribers still to be
 * notified are found from the rows alone: after a crash, the next round notifies those that are left, and a second
 * sweep finds nothing to do.
 */
import { z } from 'zod';
import { camelCased, type Db, type Fragment, type Pool, sql } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { announcedMove, isWithinCents } from './core/announced-price-move.ts';
import { BILLED } from './core/billed-statuses.ts';
import { continues } from './core/next-period.ts';
import { recordSubscriptionEvent } from './core/subscription-events.ts';
import { announcementOf, lockSubscription, OPEN_CHANGE, saveSubscription } from './core/subscription-row.ts';

/**
 * Selects why subscription `s` is not moved now, as a code, or null: it ends before, leaves its price by another
 * change, or `new_price` is too high for its quantity. Once the reason is gone, the next sweep announces the move.
 */
export const refusalOfMove = sql.fragment`case
  when not ${continues} then 'subscription_cancel_scheduled'
  when s.charging_stopped_at is not null then 'subscription_charging_stopped'
  when exists (select from subscription_changes c where c.subscription_id = s.id and c.status in ${OPEN_CHANGE}
    and c.target_price_id <> s.price_id) then 'subscription_change_scheduled'
  when not ${isWithinCents} then 'subscription_quantity_invalid' end`;

/** Selects when the move applies: the notice period begins with the announcement, by the subscription's clock. */
export const noticeOfMove = sql.fragment`
  greatest(move.from_at, subscription_clock(s.id) + move.notice_days * interval '1 day')`;

/** Joins the open move of its price to a subscription that can be moved now. */
const isOfMove = sql.fragment`s.price_id = move.old_price_id and s.environment = move.environment and s.status in ${BILLED}
  and move.cancelled_at is null and ${refusalOfMove} is null`;

const due = camelCased({ subscription_id: z.string() });

/** Returns subscriptions not yet notified of a move, or of its withdrawal: equally many for each move per round. */
export function movesToAnnounce(db: Db, limit: number): Promise<readonly z.infer<typeof due>[]> {
  // Each condition is an index range; "is distinct from" would read every subscription already notified.
  const missed = (which: Fragment) => sql.fragment`
    (select s.id from subscriptions s where ${isOfMove} and ${which} limit ${limit})`;
  return db.any(sql.type(due)`
    select s.id as subscription_id
    from price_moves move
    join prices new_price on new_price.id = move.new_price_id
    cross join lateral (
      ${missed(sql.fragment`s.price_move_id is null`)} union all
      ${missed(sql.fragment`s.price_move_id < move.id`)} union all
      ${missed(sql.fragment`s.price_move_id > move.id`)} union all
      (select s.id from subscriptions s where s.price_move_id = move.id and s.price_moves_from is not null
        and s.status in ${BILLED} and move.cancelled_at is not null limit ${limit})
    ) s
    order by row_number() over (partition by move.id) limit ${limit}
  `);
}

/**
 * Announces the move of its price to a subscription, or withdraws a cancelled move, unless that has been done. If the
 * subscription's next renewal has been announced with another total, that announcement becomes due again.
 * @returns true if the subscription's workflow must be woken for the repeated announcement
 */
export function announceMove(pool: Pool, subscriptionId: string): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId, 'briefly');
    const missed = await tx.maybeOne(sql.type(announcedMove)`
      select move.id, ${noticeOfMove} as from, move.old_price_id, move.new_price_id, new_price.amount as unit_amount,
        null::text as cancelled_at
      from price_moves move
      join prices new_price on new_price.id = move.new_price_id
      join subscriptions s on ${isOfMove} and (s.price_move_id is null or s.price_move_id <> move.id)
      where s.id = ${subscriptionId}
    `);
    const { price_move: known, announce_at: announceAt, current_period_end: end, now } = subscription;
    const changed = missed ?? (known?.cancelled_at ? known : null);
    if (!changed?.from) return false;
    // Either the move announced before or the current one affects the next renewal, so the renewal's total has changed.
    const isAnnouncedAgain = [missed, known].some((move) => move?.from && end !== null && move.from <= end);
    const again = announceAt === null && isAnnouncedAgain ? announcementOf(subscription) : null;
    const announced = await saveSubscription(tx, subscription, {
      price_move: missed,
      announce_at: again && again < now ? now : (again ?? announceAt),
    });
    await recordSubscriptionEvent(tx, announced, {
      type: 'subscription.updated',
      change: missed ? 'price_move_announced' : 'price_move_withdrawn',
    });
    return again !== null;
  });
}
