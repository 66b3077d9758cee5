import { sql } from './pool.ts';
import { NOW } from './service-clock.ts';

/** The sweep wakes the run of a row that is a minute late, each minute: by now it has done so twice. */
export const IS_LONG_OVERDUE = sql.fragment`next_action_at < ${NOW} - interval '3 minutes' as "isLongOverdue"`;
