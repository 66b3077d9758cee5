/** Shared by the routes of coupons. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../../domain/core/environment.ts';

export const COUPONS = '/v1/merchants/:merchantId/coupons';

export const couponsQuery = z.object({
  environment: z.enum(ENVIRONMENTS).optional().meta({ description: 'If absent, both; for a key, its own.' }),
});
