/** The caller's permissions at a merchant. */
import { z } from 'zod';
import { PERMISSIONS, type Permission } from '../../domain/core/permissions.ts';
import { single } from '../core/answers.ts';
import { EXAMPLE_MERCHANT_ID } from '../core/examples.ts';

const NAMES = Object.keys(PERMISSIONS) as [Permission, ...Permission[]];

export const access = z
  .object({
    merchant_id: z.string(),
    merchant_name: z.string(),
    merchant_status: z.enum(['active', 'inactive']),
    time_zone: z
      .string()
      .meta({ description: 'The IANA time zone of the merchant, which determines when its days begin.' }),
    actor: z.string().meta({ description: 'The caller’s name in the audit log.' }),
    permissions: z.array(z.enum(NAMES)),
    refund_limit: z.int().nonnegative().nullable().meta({
      description: 'Cents that the caller may refund per payment; null for no limit.',
    }),
    subscriptions: z.boolean().meta({ description: 'The merchant may sell recurring products.' }),
  })
  .meta({ id: 'Access' });

const exampleAccess: z.infer<typeof access> = {
  merchant_id: EXAMPLE_MERCHANT_ID,
  merchant_name: 'Harbour Coffee',
  merchant_status: 'active',
  time_zone: 'Europe/Berlin',
  actor: 'person:ada@harbour-coffee.example',
  permissions: ['read', 'refund', 'manage_subscriptions', 'manage_catalogue', 'manage_keys'],
  refund_limit: null,
  subscriptions: true,
};

export const accessAnswer = single(access, exampleAccess);
