/** Operators' stored requests, for the person who confirms one and for later reference. */
import { type OperatorRequest, operatorRequest } from '../../contract/operations/requests.ts';
import { type Db, sql } from '../core/pool.ts';

/**
 * Returns requests. Reads only text fields of the command, because a command may come from another release.
 */
export async function readOperatorRequests(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OperatorRequest>> {
  if (ids.length === 0) return new Map();
  const found = await db.any(sql.type(operatorRequest)`
    select id, subject_id, coalesce(command ->> 'command', 'unknown') as command,
      coalesce(command ->> 'outcome', command ->> 'status') as outcome, command ->> 'reason' as reason,
      command ->> 'evidence' as evidence, environment, amount, currency, payment_id, asked_by, asked_at, confirmed_by
    from operator_requests where id = any (${sql.array([...ids], 'text')})
  `);
  return new Map(found.map((each) => [each.id, each]));
}
