/** The answers of a failing endpoint, and how many deliveries wait for it. */
import { sql } from '../core/pool.ts';

type Fragment = ReturnType<typeof sql.fragment>;

/** Deliveries are counted up to this limit: an endpoint that has been down for days may have millions. */
const COUNTED = 10_000;

/** Selects (waiting, answered): how many deliveries are pending, and the HTTP status of their latest attempt. */
export const failureOf = (endpointId: Fragment): Fragment => sql.fragment`
  select count(*)::integer as waiting,
    (array_agg(last_status order by last_attempt_at desc) filter (where last_attempt_at is not null))[1] as answered
  from (
    select last_status, last_attempt_at from deliveries
    where endpoint_id = ${endpointId} and status = 'pending' order by next_attempt_at limit ${COUNTED}
  ) pending`;
