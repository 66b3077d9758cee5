/** Storefront clients, for the management API. Each change writes an audit row. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  type NewStorefrontClient,
  type StorefrontClient,
  type StorefrontClientChanges,
  storefrontClient,
} from '../../contract/merchant/storefront-clients.ts';
import type { AnyScope } from '../../domain/core/environment.ts';
import { areOwnProducts } from '../catalogue/own-products.ts';
import { type Actor, audited } from '../core/audit.ts';
import type { Batch } from '../core/lists/list-batch.ts';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { withChanges } from '../core/with-changes.ts';

/** Columns, with the API's names as aliases where the names differ. */
const selected = sql.fragment`
  select c.id, c.merchant_id, c.environment, c.name, c.origins,
    array(select product_id from storefront_client_products where client_id = c.id order by product_id) as product_ids,
    c.success_url as "successUrl", c.fail_url as "failUrl", c.status, c.created_at, c.updated_at
  from storefront_clients c`;

const clientWith = (id: string) => sql.type(storefrontClient)`${selected} where c.id = ${id}`;

/** Lists storefront clients, newest first, including disabled ones. */
export function listStorefrontClients(
  db: Db,
  scope: AnyScope,
  { after, limit }: Batch,
): Promise<readonly StorefrontClient[]> {
  return db.any(sql.type(storefrontClient)`
    ${selected}
    where ${within(scope)} and (${after}::text is null or c.id < ${after})
    order by c.id desc
    limit ${limit}
  `);
}

export function showStorefrontClient(
  db: Db,
  scope: AnyScope,
  clientId: string,
): Promise<StorefrontClient | null> {
  return db.maybeOne(sql.type(storefrontClient)`${selected} where ${within(scope)} and c.id = ${clientId}`);
}

/**
 * @param client with canonical origins
 * @param id null lets the database choose
 */
export function createStorefrontClient(
  pool: Pool,
  merchantId: string,
  client: NewStorefrontClient,
  actor: Actor,
  id: string | null = null,
): Promise<StorefrontClient | 'product_not_found'> {
  const { environment, name, origins, successUrl, failUrl, product_ids: productIds = [] } = client;
  return pool.transaction(async (tx) => {
    if (!(await areOwnProducts(tx, merchantId, productIds))) return 'product_not_found';
    const clientId = await tx.oneFirst(sql.type(z.object({ id: z.string() }))`
      insert into storefront_clients (id, merchant_id, environment, name, origins, success_url, fail_url)
      values (coalesce(${id}, new_id('ap_pcl_')), ${merchantId}, ${environment}, ${name},
        ${sql.array([...origins], 'text')}, ${successUrl ?? null}, ${failUrl ?? null})
      returning id
    `);
    await authorizeProducts(tx, clientId, productIds);
    return audited(tx, 'storefront_client.create', null, clientWith(clientId), actor);
  });
}

/** Undefined fields keep their value; a change without effect writes no audit row. */
export function updateStorefrontClient(
  pool: Pool,
  scope: AnyScope,
  clientId: string,
  changes: StorefrontClientChanges,
  actor: Actor,
): Promise<StorefrontClient | 'checkout_client_not_found' | 'product_not_found'> {
  return pool.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`
      select from storefront_clients where id = ${clientId} and merchant_id = ${scope.merchantId} for no key update
    `);
    const before = await showStorefrontClient(tx, scope, clientId);
    if (!before) return 'checkout_client_not_found';
    const productIds = changes.product_ids && [...new Set(changes.product_ids)].sort();
    if (productIds && !(await areOwnProducts(tx, scope.merchantId, productIds))) return 'product_not_found';
    const wanted = withChanges<StorefrontClient>(before, { ...changes, product_ids: productIds });
    if (isDeepStrictEqual(wanted, before)) return before;
    await tx.query(sql.typeAlias('void')`
      update storefront_clients
      set name = ${wanted.name}, origins = ${sql.array([...wanted.origins], 'text')},
        success_url = ${wanted.successUrl}, fail_url = ${wanted.failUrl}, status = ${wanted.status},
        updated_at = service_clock()
      where id = ${clientId}
    `);
    await authorizeProducts(tx, clientId, wanted.product_ids);
    return audited(tx, 'storefront_client.update', before, clientWith(clientId), actor);
  });
}

function within({ merchantId, environment }: AnyScope) {
  return sql.fragment`c.merchant_id = ${merchantId}
    and (${environment}::text is null or c.environment = ${environment})`;
}

/** Replaces the list of authorized products. */
async function authorizeProducts(
  tx: Transaction,
  clientId: string,
  productIds: readonly string[],
): Promise<void> {
  const wanted = sql.array([...productIds], 'text');
  await tx.query(sql.typeAlias('void')`
    delete from storefront_client_products where client_id = ${clientId} and product_id <> all (${wanted})
  `);
  await tx.query(sql.typeAlias('void')`
    insert into storefront_client_products (client_id, product_id)
    select ${clientId}, product_id from unnest(${wanted}) as product_id
    on conflict do nothing
  `);
}
