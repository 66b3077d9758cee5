import { sql } from '../core/pool.ts';

/**
 * The statuses of a payment that may still take money, as `isOpen` of `domain/payment/payment.ts` has them: for
 * `status in ${OPEN_STATUSES}`. Written out, because PostgreSQL uses the partial indexes of open payments for literals
 * only.
 */
export const OPEN_STATUSES = sql.fragment`('processing', 'requires_action')`;
