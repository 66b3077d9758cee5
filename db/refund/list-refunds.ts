import { z } from 'zod';
import { type Refund, refund } from '../../contract/refund/refund.ts';
import { REFUND_STATUSES } from '../../domain/refund/refund.ts';
import { type DatedPosition, newestByDate } from '../core/lists/dated-search.ts';
import type { ListBatch } from '../core/lists/list-batch.ts';
import { type Db, sql } from '../core/pool.ts';
import { refundColumns } from './create-refund.ts';

/** Newest first by creation time instead of by id: a refund's id derives from its payment's. */
export const listRefunds: ListBatch<Refund> = async (db, scope, { after, limit }) => {
  const all = { scope, status: null, from: null, to: null, limit };
  const position = after === null ? null : await positionOf(db, after);
  return db.any(sql.type(refund)`
    select ${refundColumns} from refunds
    where id = any (array(${newestByDate('refunds', all, position, REFUND_STATUSES)}))
    order by unix_ms(created_at) desc, id desc
    limit ${limit}
  `);
};

async function positionOf(db: Db, id: string): Promise<DatedPosition> {
  const at = await db.oneFirst(sql.type(z.object({ created_at: z.string() }))`
    select created_at from refunds where id = ${id}
  `);
  return [Date.parse(at), id];
}
