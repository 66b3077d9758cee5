/**
 * Storefront clients as people manage them: who may sell from a browser, from which origins, and which products.
 */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { exampleProduct } from '../catalogue/resources.ts';
import { listOf, single } from '../core/answers.ts';
import { isLoopback } from '../core/loopback.ts';
import { browserUrl, requiredText } from '../core/text.ts';

const MAX_ORIGINS = 20;
/** Without path (except `/`), query, fragment, credentials or wildcard. */
const SCHEME_HOST_PORT = /^https?:\/\/[^\s\\*/?#@]+\/?$/i;
const instant = z.iso.datetime();
const environment = z.enum(ENVIRONMENTS);
const status = z.enum(['active', 'disabled']);

export const storefrontClient = z
  .object({
    id: z.string().meta({ description: 'The public id: it appears in the shop’s page and is not secret.' }),
    merchant_id: z.string(),
    environment,
    name: z.string(),
    origins: z.array(z.string()).meta({ description: 'In the form that browsers send.' }),
    product_ids: z.array(z.string()).meta({ description: 'The products that it may sell, oldest first.' }),
    successUrl: z.string().nullable(),
    failUrl: z.string().nullable(),
    status,
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'StorefrontClient' });
export type StorefrontClient = z.infer<typeof storefrontClient>;

const fields = {
  name: requiredText(100).meta({ description: 'A label for your own use.' }),
  origins: z
    .array(requiredText(300))
    .min(1)
    .max(MAX_ORIGINS)
    .meta({
      description:
        'Scheme, host and port, matched exactly: `https://shop.example`, without a path or wildcard. https only, except ' +
        'for localhost in development.',
    }),
  product_ids: z.array(requiredText(200)).max(500),
  successUrl: browserUrl(500).nullable(),
  failUrl: browserUrl(500).nullable(),
};

export const newStorefrontClient = z
  .object({
    environment,
    name: fields.name,
    origins: fields.origins,
    product_ids: fields.product_ids.optional(),
    successUrl: fields.successUrl.optional(),
    failUrl: fields.failUrl.optional(),
  })
  .meta({ id: 'StorefrontClientRequest' });
export type NewStorefrontClient = z.infer<typeof newStorefrontClient>;

export const storefrontClientChanges = z
  .object({
    name: fields.name.optional(),
    origins: fields.origins.optional(),
    product_ids: fields.product_ids.optional().meta({ description: 'Replaces the whole set.' }),
    successUrl: fields.successUrl.optional(),
    failUrl: fields.failUrl.optional(),
    status: status.optional().meta({ description: 'disabled: its public id is treated as unknown.' }),
  })
  .meta({ id: 'StorefrontClientChanges' });
export type StorefrontClientChanges = z.infer<typeof storefrontClientChanges>;

/**
 * Returns an origin as browsers send it (URL standard): lower case, punycode, without the scheme's default port.
 *
 * @param allowLoopback true in development: also allows http on this machine
 * @returns null if the text is not an origin, or the origin may not sell
 */
export function canonicalOrigin(text: string, allowLoopback: boolean): string | null {
  const url = SCHEME_HOST_PORT.test(text) ? URL.parse(text) : null;
  if (!url) return null;
  return url.protocol === 'https:' || (allowLoopback && isLoopback(url)) ? url.origin : null;
}

export const exampleStorefrontClient: StorefrontClient = {
  id: 'ap_pcl_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  merchant_id: exampleProduct.merchant_id,
  environment: 'sandbox',
  name: 'Shop',
  origins: ['https://shop.example'],
  product_ids: [exampleProduct.id],
  successUrl: 'https://shop.example/thanks',
  failUrl: 'https://shop.example/cart',
  status: 'active',
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
};

export const storefrontClientAnswer = single(storefrontClient, exampleStorefrontClient);
export const storefrontClientList = listOf(storefrontClient, exampleStorefrontClient);
