/** What merchants do with payments besides selling. */
import type { ApiContext } from './http/context.ts';
import type { Route } from './http/route.ts';
import { createManualChargeRoute } from './payment/create-manual-charge.ts';
import { invoiceSettingsRoutes } from './invoice/invoice-settings.ts';
import { refundRoutes } from './refund/create-refund.ts';

export function chargeRoutes(context: ApiContext): readonly Route[] {
  return [createManualChargeRoute(context), ...invoiceSettingsRoutes(context), ...refundRoutes(context)];
}
