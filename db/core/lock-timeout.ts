/** A short wait for locks: a transaction that waits for a locked row releases its connection and is retried. */
import { errorCode } from './error-code.ts';
import { sql } from './pool.ts';

/** When selected, limits the wait for each lock to a second for the rest of the transaction. */
export const LOCKS_WITHIN_A_SECOND = sql.fragment`set_config('lock_timeout', '1s', true)`;

const LOCK_NOT_AVAILABLE = '55P03';

export const isLockTimeout = (error: unknown): boolean => errorCode(error) === LOCK_NOT_AVAILABLE;
