import { type ListBatch, olderThan } from '../../core/lists/list-batch.ts';
import { sql } from '../../core/pool.ts';
import { type StoredSubscription, selectSubscriptions, storedSubscription } from './find-subscription.ts';

export const listSubscriptions: ListBatch<StoredSubscription> = (
  db,
  { merchantId, environment },
  { after, limit },
) =>
  db.any(sql.type(storedSubscription)`
    ${selectSubscriptions}
    where s.merchant_id = ${merchantId} and s.environment = ${environment} ${olderThan('s', after)}
    order by s.id desc
    limit ${limit}
  `);
