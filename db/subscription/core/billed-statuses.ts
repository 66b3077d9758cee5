import { sql } from '../../core/pool.ts';

/**
 * The statuses of a subscription that is charged on time, or may be again, as in `isBilled` of
 * `domain/subscription/subscription.ts`, for `status in ${BILLED}`. They are literals because PostgreSQL uses the
 * partial indexes of due subscriptions only for literals.
 */
export const BILLED = sql.fragment`('trialing', 'active', 'past_due', 'paused')`;

/** As in `isFinishedSubscription`. An incomplete subscription is neither billed nor finished. */
export const FINISHED = sql.fragment`('cancelled', 'expired')`;
