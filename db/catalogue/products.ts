/** Products, for the management API. Each change writes an audit row. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { NewProduct, ProductChanges } from '../../contract/catalogue/products.ts';
import { type Product, product } from '../../contract/catalogue/resources.ts';
import { type Actor, audited } from '../core/audit.ts';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { withChanges } from '../core/with-changes.ts';
import { selectProducts } from './catalogue-columns.ts';
import { keepImage, type NewImage } from './product-images.ts';

const productWith = (id: string) => sql.type(product)`${selectProducts} where p.id = ${id}`;

export function findProduct(db: Db, merchantId: string, productId: string): Promise<Product | null> {
  return db.maybeOne(sql.type(product)`
    ${selectProducts} where p.merchant_id = ${merchantId} and p.id = ${productId}
  `);
}

export function createProduct(
  pool: Pool,
  merchantId: string,
  wanted: NewProduct,
  actor: Actor,
  { image = null, id = null }: { readonly image?: NewImage | null; readonly id?: string | null } = {},
): Promise<Product | 'external_reference_taken'> {
  const {
    name,
    description,
    metadata,
    external_reference: reference,
    quantity,
    image_url: imageUrl,
  } = wanted;
  return pool.transaction(async (tx) => {
    if (await isTaken(tx, merchantId, reference)) return 'external_reference_taken';
    const productId = await tx.oneFirst(sql.type(z.object({ id: z.string() }))`
      insert into products (id, merchant_id, name, description, metadata, external_reference, quantity_min, quantity_max,
        billing_cycles, one_subscription_per_customer, one_trial_per_customer, image_url, image)
      values (coalesce(${id}, new_id('ap_prod_')), ${merchantId}, ${name}, ${description ?? null}, ${sql.jsonb(metadata ?? {})}, ${reference ?? null},
        ${quantity?.min ?? null}, ${quantity?.max ?? null}, ${wanted.billing_cycles ?? null},
        ${wanted.one_subscription_per_customer ?? false}, ${wanted.one_trial_per_customer ?? false}, ${imageUrl ?? null},
        ${await keepImage(tx, image)})
      returning id
    `);
    return audited(tx, 'product.create', null, productWith(productId), actor);
  });
}

/**
 * Undefined fields keep their value; a change without effect writes no audit row.
 * @param image the image fetched from the changes' `image_url`
 * @returns `image_not_fetched` if the product gets another `image_url` without its image
 */
export function updateProduct(
  pool: Pool,
  { merchantId, productId }: ProductRef,
  changes: ProductChanges,
  actor: Actor,
  image: NewImage | null = null,
): Promise<Product | 'product_not_found' | 'external_reference_taken' | 'image_not_fetched'> {
  return pool.transaction(async (tx) => {
    const before = await lockProduct(tx, { merchantId, productId });
    if (!before) return 'product_not_found';
    if (await isTaken(tx, merchantId, changes.external_reference, productId))
      return 'external_reference_taken';
    const wanted = withChanges<Product>(before, changes);
    if (isDeepStrictEqual(wanted, before)) return before;
    if (wanted.image_url !== before.image_url && wanted.image_url !== null && !image)
      return 'image_not_fetched';
    await tx.query(sql.typeAlias('void')`
      update products
      set name = ${wanted.name}, description = ${wanted.description}, metadata = ${sql.jsonb(wanted.metadata)},
        external_reference = ${wanted.external_reference}, quantity_min = ${wanted.quantity?.min ?? null},
        quantity_max = ${wanted.quantity?.max ?? null}, billing_cycles = ${wanted.billing_cycles},
        one_subscription_per_customer = ${wanted.one_subscription_per_customer},
        one_trial_per_customer = ${wanted.one_trial_per_customer},
        image_url = ${wanted.image_url},
        image = case when image_url is not distinct from ${wanted.image_url} then image
          else ${await keepImage(tx, image)} end,
        status = ${wanted.status}, updated_at = service_clock()
      where id = ${productId}
    `);
    return audited(tx, 'product.update', before, productWith(productId), actor);
  });
}

/** True if another product has the reference. The caller holds the lock that serialises a merchant's references. */
async function isTaken(
  tx: Transaction,
  merchantId: string,
  reference: string | null | undefined,
  productId: string | null = null,
): Promise<boolean> {
  if (reference === null || reference === undefined) return false;
  await tx.query(sql.typeAlias('void')`select from merchants where id = ${merchantId} for no key update`);
  return tx.exists(sql.typeAlias('void')`
    select from products
    where merchant_id = ${merchantId} and external_reference = ${reference} and id is distinct from ${productId}
  `);
}

export interface ProductRef {
  readonly merchantId: string;
  readonly productId: string;
}

/** Serialises changes of a product, its prices and its offering. */
export async function lockProduct(
  tx: Transaction,
  { merchantId, productId }: ProductRef,
): Promise<Product | null> {
  // Lock first, then read in a second statement, whose snapshot is taken under the lock.
  await tx.query(sql.typeAlias('void')`
    select from products where id = ${productId} and merchant_id = ${merchantId} for no key update
  `);
  return findProduct(tx, merchantId, productId);
}
