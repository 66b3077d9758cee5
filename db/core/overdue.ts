import { sql } from './pool.ts';
import { NOW } from './service-clock.ts';

/** By now the sweep has sent two wake-ups: it sends one each minute once the row is a minute late. */
export const IS_LONG_OVERDUE = sql.fragment`next_action_at < ${NOW} - interval '3 minutes' as "isLongOverdue"`;
