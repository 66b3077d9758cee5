import { type Dispute, dispute } from '../../contract/dispute/dispute.ts';
import { type ListBatch, olderThan } from '../core/lists/list-batch.ts';
import { sql } from '../core/pool.ts';

export const listDisputes: ListBatch<Dispute> = (db, { merchantId, environment }, { after, limit }) =>
  db.any(sql.type(dispute)`
    select id, payment_id, subscription_id, status, amount, currency, reason, evidence_due_by, opened_at,
      created_at, updated_at
    from disputes
    where merchant_id = ${merchantId} and environment = ${environment} ${olderThan('disputes', after)}
    order by id desc
    limit ${limit}
  `);
