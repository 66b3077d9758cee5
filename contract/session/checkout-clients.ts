/** The two routes for a storefront's browser: /v1/checkout-clients/{publicId}/sessions and …/config. */
import { z } from 'zod';
import { price } from '../catalogue/resources.ts';
import { requestId } from '../core/answers.ts';
import { requiredText } from '../core/text.ts';

export const storefrontSessionRequest = z
  .object({
    productReference: requiredText(200).meta({
      description: 'The id or external_reference of a product that the client may sell.',
    }),
  })
  .meta({ id: 'StorefrontSessionRequest' });

export const storefrontProduct = z
  .object({
    id: z.string(),
    external_reference: z.string().nullable(),
    name: z.string(),
    description: z.string().nullable(),
    active_price: price.nullable(),
  })
  .meta({ id: 'StorefrontProduct' });

export const storefrontBranding = z
  .object({
    name: z.string(),
    logo_url: z.string().nullable(),
    color: z.string().nullable(),
    language: z.string().nullable(),
  })
  .meta({ id: 'Branding' });

export const storefrontConfig = z
  .object({
    branding: storefrontBranding,
    products: z.array(storefrontProduct),
    request_id: requestId,
  })
  .meta({ id: 'StorefrontConfig' });
export type StorefrontConfig = z.infer<typeof storefrontConfig>;

export const storefrontPath = z.object({
  publicId: z.string().min(1).meta({
    description: 'The public identifier of the storefront client.',
    example: 'ap_pcl_019a3c1c5a0e7c7ab1f2',
  }),
});
