import { sql } from '../../core/pool.ts';

/**
 * The statuses of a subscription that is charged on time or may be again, equal to `isBilled` of
 * `domain/subscription/subscription.ts`. Use as `status in ${BILLED}`. They are literals, because PostgreSQL uses the
 * partial indexes of subscriptions that are due only for literals.
 */
export const BILLED = sql.fragment`('trialing', 'active', 'past_due', 'paused')`;
