/** What merchants do with payments besides selling. */
import type { ApiContext } from '../context.ts';
import type { Route } from '../route.ts';
import { createManualChargeRoute } from './create-manual-charge.ts';
import { invoiceSettingsRoutes } from './invoice-settings.ts';
import { refundRoutes } from './refunds.ts';

export function chargeRoutes(context: ApiContext): readonly Route[] {
  return [createManualChargeRoute(context), ...invoiceSettingsRoutes(context), ...refundRoutes(context)];
}
