/** Offerings: named groups of plans. A plan is a product whose active price is recurring. */
import { z } from 'zod';
import { listOf, single } from '../core/answers.ts';
import { requiredText } from '../core/text.ts';
import { exampleProduct } from './resources.ts';

const instant = z.iso.datetime();
const status = z.enum(['active', 'inactive']);

export const offering = z
  .object({
    id: z.string(),
    merchant_id: z.string(),
    name: z.string(),
    plan_ids: z.array(z.string()).meta({ description: 'Oldest plan first.' }),
    status,
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Offering' });
export type Offering = z.infer<typeof offering>;

const fields = {
  name: requiredText(200),
  plan_ids: z.array(requiredText(200)).max(100).meta({
    description: 'Products with a recurring price; a plan is in at most one offering.',
  }),
};

export const newOffering = z
  .object({ name: fields.name, plan_ids: fields.plan_ids.optional() })
  .meta({ id: 'OfferingRequest' });
export type NewOffering = z.infer<typeof newOffering>;

export const offeringChanges = z
  .object({
    name: fields.name.optional(),
    plan_ids: fields.plan_ids.optional().meta({
      description: 'Replaces the whole set. Subscriptions stay in their agreed offering.',
    }),
    status: status.optional().meta({ description: 'inactive: subscriptions can no longer change to it.' }),
  })
  .meta({ id: 'OfferingChanges' });
export type OfferingChanges = z.infer<typeof offeringChanges>;

export const exampleOffering: Offering = {
  id: 'ap_off_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  merchant_id: exampleProduct.merchant_id,
  name: 'Coffee club',
  plan_ids: [exampleProduct.id],
  status: 'active',
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
};

export const offeringAnswer = single(offering, exampleOffering);
export const offeringList = listOf(offering, exampleOffering);
