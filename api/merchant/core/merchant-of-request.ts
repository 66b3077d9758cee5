/** Shared by the routes of one merchant. */
import { z } from 'zod';
import { exampleMerchant } from '../../../contract/merchant/merchants.ts';

export const MERCHANT = '/v1/merchants/:merchantId';

export const merchantPath = z.object({ merchantId: z.string().meta({ example: exampleMerchant.id }) });
