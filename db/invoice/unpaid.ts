import { sql } from '../core/pool.ts';

/**
 * The statuses of a subscription's due but unpaid invoices, which do not include the draft of a change. Use as
 * `status in ${UNPAID}`. They are literals, because PostgreSQL uses the partial index of unpaid invoices only for
 * literals.
 */
export const UNPAID = sql.fragment`('open', 'payment_failed')`;
