/** Merchants under `/v1/merchants`, as people create, see and change them. */
import { z } from 'zod';
import { pageOf, single } from '../core/answers.ts';
import { EXAMPLE_MERCHANT_ID } from '../core/examples.ts';
import { rule } from '../core/faults.ts';
import { printedText, requiredText, text } from '../core/text.ts';
import { apiKeyWithSecret, exampleApiKey } from './api-keys.ts';

const MAX_LOGO_URL_LENGTH = 500;
const instant = z.iso.datetime();

const branding = z
  .object({
    logo_url: z.string().nullable(),
    color: z.string().nullable(),
    language: z.string().nullable(),
  })
  .meta({ id: 'MerchantBranding', description: 'How the hosted page looks; null means the default.' });
const capabilities = z
  .object({
    subscriptions: z.boolean().meta({ description: 'Recurring products can be sold.' }),
  })
  .meta({ id: 'MerchantCapabilities' });
const legalIdentity = z
  .object({
    name: z.string().nullable(),
    address_lines: z.array(z.string()),
    vat_id: z.string().nullable(),
    vat_note: z.string().nullable().meta({
      description: 'The VAT note that the law requires on invoices: an exemption, a special scheme.',
    }),
  })
  .meta({ id: 'LegalIdentity', description: 'Printed on invoices.' });

const RENEW_AFTER_LOST_DISPUTE =
  'If false (the default), a subscription with a lost dispute ends with its period; if true, it renews.';

export const merchant = z
  .object({
    id: z.string(),
    name: z.string().meta({ description: 'Shown to buyers at the top of the hosted page.' }),
    status: z.enum(['active', 'inactive']).meta({
      description: 'inactive: API keys are refused with 403, and the merchant’s own people may only read.',
    }),
    capabilities,
    branding,
    legal_identity: legalIdentity,
    renew_after_lost_dispute: z.boolean().meta({ description: RENEW_AFTER_LOST_DISPUTE }),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Merchant' });
export type Merchant = z.infer<typeof merchant>;

/** Rules for the branding that people choose for the hosted page. */
export const brandingRules = {
  name: printedText(160),
  logoUrl: text(MAX_LOGO_URL_LENGTH).refine(
    isLogoUrl,
    rule('format', 'must be an https URL without credentials'),
  ),
  color: z.string().regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, { error: 'must be a colour such as #0f766e' }),
  language: z.string().regex(/^[a-z]{2}$/, { error: 'must be an ISO 639-1 language code, such as en' }),
};

const fields = {
  name: brandingRules.name.meta({ description: 'Shown to buyers at the top of the hosted page.' }),
  branding: z
    .object({
      logo_url: brandingRules.logoUrl
        .nullable()
        .optional()
        .meta({ description: 'https; shown 36 pixels high. The page loads images from its origin.' }),
      color: brandingRules.color.nullable().optional().meta({
        description: 'Colour of buttons and accents; darkened where text on it would be unreadable.',
      }),
      language: brandingRules.language.nullable().optional().meta({
        description:
          'ISO 639-1. The language of invoices, and of the hosted page if neither the checkout’s `locale` nor the browser names a language that it supports.',
      }),
    })
    .meta({ id: 'MerchantBrandingChanges', description: 'Absent members stay unchanged; null removes one.' }),
  capabilities: capabilities.partial().meta({ id: 'MerchantCapabilityChanges' }),
  legal_identity: z
    .object({
      name: printedText(200).nullable().optional(),
      address_lines: z.array(printedText(200)).max(6).optional(),
      vat_id: printedText(40).nullable().optional(),
      vat_note: printedText(500).nullable().optional(),
    })
    .meta({ id: 'LegalIdentityChanges', description: 'Printed on invoices. Absent members stay unchanged.' }),
  renew_after_lost_dispute: z.boolean().meta({ description: RENEW_AFTER_LOST_DISPUTE }),
};

export const newMerchant = z
  .object({
    name: fields.name,
    branding: fields.branding.optional(),
    capabilities: fields.capabilities.optional(),
    legal_identity: fields.legal_identity.optional(),
  })
  .meta({ id: 'MerchantRequest' });
export type NewMerchant = z.infer<typeof newMerchant>;

export const merchantChanges = z
  .object({
    ...newMerchant.shape,
    name: fields.name.optional(),
    status: z.enum(['active', 'inactive']).optional(),
    renew_after_lost_dispute: fields.renew_after_lost_dispute.optional(),
  })
  .meta({ id: 'MerchantChanges' });
export type MerchantChanges = z.infer<typeof merchantChanges>;

export const merchantListQuery = z.object({
  cursor: requiredText(64)
    .optional()
    .meta({ description: 'next_cursor of the previous page.', example: EXAMPLE_MERCHANT_ID }),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

const exampleMerchant: Merchant = {
  id: 'ap_mer_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  name: 'Harbour Coffee',
  status: 'active',
  capabilities: { subscriptions: true },
  branding: { logo_url: 'https://shop.example/logo.svg', color: '#0f766e', language: 'en' },
  legal_identity: {
    name: 'Harbour Coffee GmbH',
    address_lines: ['Am Kai 7', '20457 Hamburg', 'DE'],
    vat_id: 'DE123456789',
    vat_note: null,
  },
  renew_after_lost_dispute: false,
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
};
export const exampleCreatedMerchant = { ...exampleMerchant, api_key: exampleApiKey };

/** Allows only letters, digits, dots and dashes in the host, because the origin enters the content security policy. */
function isLogoUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.username || url.password) return false;
  return /^[a-z0-9.-]+$/.test(url.hostname) && url.href.length <= MAX_LOGO_URL_LENGTH;
}

export const merchantAnswer = single(merchant, exampleMerchant);
export const merchantListAnswer = pageOf(merchant, exampleMerchant);
export const createdMerchantAnswer = single(
  merchant.extend({ api_key: apiKeyWithSecret }),
  exampleCreatedMerchant,
  'CreatedMerchantAnswer',
);
