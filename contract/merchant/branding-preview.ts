/** A preview of the hosted page with unsaved branding. */
import { z } from 'zod';
import { single } from '../core/answers.ts';
import { environmentOnly } from '../core/pagination.ts';
import { brandingRules } from './merchants.ts';

export const brandingPreviewQuery = environmentOnly.extend({
  name: brandingRules.name.optional().meta({ description: 'If absent, the merchant’s.' }),
  logo_url: brandingRules.logoUrl.optional(),
  color: brandingRules.color.optional(),
  language: brandingRules.language.optional(),
  origin: z
    .string()
    .max(300)
    .regex(/^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/, { error: 'must be an origin such as https://example.com' })
    .optional()
    .meta({ description: 'Origin of the page that frames the preview, if it is not the API’s own.' }),
});

const brandingPreview = z
  .object({
    url: z.string().meta({ description: 'For the `src` of an `<iframe>`.' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'BrandingPreview' });

const exampleBrandingPreview: z.infer<typeof brandingPreview> = {
  url: 'https://pay.example/pay/preview/AGFwAi0xkq3W',
  expires_at: '2026-01-31T09:40:00.000Z',
};

export const brandingPreviewAnswer = single(brandingPreview, exampleBrandingPreview);
