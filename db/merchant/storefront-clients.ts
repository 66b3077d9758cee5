/** Public clients of browser storefronts: their origins and the products they may sell. */
import { z } from 'zod';
import { storefrontBranding, storefrontProduct } from '../../contract/session/checkout-clients.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { activePrice } from '../catalogue/catalogue-columns.ts';
import { camelCased, type Db, sql } from '../core/pool.ts';

const storefrontClient = camelCased({
  id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  merchant_status: z.enum(['active', 'inactive']),
  origins: z.array(z.string()),
  success_url: z.string().nullable(),
  fail_url: z.string().nullable(),
  branding: storefrontBranding,
});
export type StorefrontClient = z.infer<typeof storefrontClient>;

export function findStorefrontClient(db: Db, publicId: string): Promise<StorefrontClient | null> {
  return db.maybeOne(sql.type(storefrontClient)`
    select c.id, c.merchant_id, c.environment, m.status as merchant_status, c.origins,
      c.success_url, c.fail_url,
      jsonb_build_object('name', m.name, 'logo_url', m.branding -> 'logo_url', 'color', m.branding -> 'color',
        'language', m.branding -> 'language') as branding
    from storefront_clients c
    join merchants m on m.id = c.merchant_id
    where c.id = ${publicId} and c.status = 'active'
  `);
}

export function storefrontProducts(db: Db, { id, merchantId }: StorefrontClient) {
  return db.any(sql.type(storefrontProduct)`
    select p.id, p.external_reference, p.name, p.description,
      ${activePrice} as active_price
    from storefront_client_products allowed
    join products p on p.id = allowed.product_id
    left join prices price on price.product_id = p.id and price.status = 'active'
    where allowed.client_id = ${id} and p.merchant_id = ${merchantId} and p.status = 'active'
    order by p.id desc
  `);
}

/** The id of an authorized product, by id or external reference; an id takes precedence. */
export function findStorefrontProduct(
  db: Db,
  { id, merchantId }: StorefrontClient,
  reference: string,
): Promise<string | null> {
  return db.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    select p.id
    from storefront_client_products allowed join products p on p.id = allowed.product_id
    where allowed.client_id = ${id} and p.merchant_id = ${merchantId} and p.status = 'active'
      and (p.id = ${reference} or p.external_reference = ${reference})
    order by p.id = ${reference} desc
    limit 1
  `);
}
