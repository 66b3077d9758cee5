import { sql } from '../core/pool.ts';

/**
 * The statuses of a subscription's invoice that is due and not paid; the draft of a change is neither. Use as
 * `status in ${UNPAID}`. They are literals, because PostgreSQL uses the partial index of unpaid invoices only for
 * literals.
 */
export const UNPAID = sql.fragment`('open', 'payment_failed')`;
