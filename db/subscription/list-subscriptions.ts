import { type Subscription, subscription } from '../../contract/subscription/resources.ts';
import { type ListBatch, olderThan } from '../core/list-batch.ts';
import { sql } from '../core/pool.ts';
import { selectSubscriptions } from './find-subscription.ts';

export const listSubscriptions: ListBatch<Subscription> = (
  db,
  { merchantId, environment },
  { after, limit },
) =>
  db.any(sql.type(subscription)`
    ${selectSubscriptions}
    where s.merchant_id = ${merchantId} and s.environment = ${environment} ${olderThan('s', after)}
    order by s.id desc
    limit ${limit}
  `);
