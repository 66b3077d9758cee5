import { sql } from '../core/pool.ts';

/**
 * The statuses of a payment that may still take money, as in `isOpen` of `domain/payment/payment.ts`, for `status in
 * ${OPEN_STATUSES}`. They are literals because PostgreSQL uses the partial indexes of open payments only for literals.
 */
export const OPEN_STATUSES = sql.fragment`('processing', 'requires_action')`;
