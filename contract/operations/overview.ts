/** Data for the operators' dashboard, except incidents: who may act, and the health of each merchant. */
import { z } from 'zod';
import { pageOf, single } from '../core/answers.ts';
import { EXAMPLE_MERCHANT_ID } from '../core/examples.ts';
import { instant } from '../core/fields.ts';
import { requiredText } from '../core/text.ts';
import { railAccount } from '../merchant/rail-accounts.ts';
import { exampleIncident } from './incidents.ts';

const operatorAccess = z.object({
  actor: z.string().meta({ description: 'The person’s name in the audit log.' }),
  may: z.array(z.enum(['see', 'act'])).meta({ description: 'Empty if the person is not an operator.' }),
});
const exampleOperatorAccess: z.infer<typeof operatorAccess> = {
  actor: 'person:paul@checkout.example',
  may: ['see', 'act'],
};

const railStatus = railAccount.shape.status.nullable();

export const merchantHealth = z
  .object({
    id: z.string(),
    name: z.string(),
    status: z.enum(['active', 'inactive']),
    live_rail: railStatus.meta({ description: 'Status of the live account in use; null if there is none.' }),
    sandbox_rail: railStatus,
    endpoints_failing: z.int().meta({ description: 'Live webhook endpoints that fail or are disabled.' }),
    last_sale_at: instant.nullable().meta({ description: 'The latest live payment that succeeded.' }),
    incidents: z.int().meta({ description: 'Open incidents, of both environments.' }),
    oldest_incident_at: instant.nullable(),
  })
  .meta({ id: 'MerchantHealth' });
export type MerchantHealth = z.infer<typeof merchantHealth>;

export const merchantHealthQuery = z.object({
  q: requiredText(200)
    .optional()
    .meta({ description: 'A merchant’s id, or part of the name.', example: 'Harbour' }),
  cursor: requiredText(64)
    .optional()
    .meta({ description: 'next_cursor of the previous page.', example: EXAMPLE_MERCHANT_ID }),
  limit: z.coerce.number().int().min(1).max(100).default(25),
});
const exampleMerchantHealth: MerchantHealth = {
  id: EXAMPLE_MERCHANT_ID,
  name: 'Harbour Coffee',
  status: 'active',
  live_rail: 'active',
  sandbox_rail: 'active',
  endpoints_failing: 0,
  last_sale_at: '2026-01-31T09:30:00.000Z',
  incidents: 1,
  oldest_incident_at: exampleIncident.since,
};

export const operatorAccessAnswer = single(operatorAccess, exampleOperatorAccess, 'OperatorAccess');
export const merchantHealthPage = pageOf(merchantHealth, exampleMerchantHealth);
