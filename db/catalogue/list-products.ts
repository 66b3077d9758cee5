import { type Product, product } from '../../contract/catalogue/resources.ts';
import { type ListBatch, olderThan } from '../core/lists/list-batch.ts';
import { sql } from '../core/pool.ts';
import { selectProducts } from './catalogue-columns.ts';

/** Products belong to both environments, so the list has no environment. */
export const listProducts: ListBatch<Product> = (db, { merchantId }, { after, limit }) =>
  db.any(sql.type(product)`
    ${selectProducts}
    where p.merchant_id = ${merchantId} ${olderThan('p', after)}
    order by p.id desc
    limit ${limit}
  `);
