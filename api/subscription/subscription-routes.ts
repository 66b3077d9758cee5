/** A merchant's operations on subscriptions. */
import type { ApiContext } from '../http/context.ts';
import type { Route } from '../http/route.ts';
import { advanceSubscriptionRoute } from './advance-subscription.ts';
import { cancelSubscriptionRoute } from './cancel-subscription.ts';
import { cancelUndoRoute } from './cancel-undo.ts';
import { cancelPreviewRoute, planChangePreviewRoute, quantityPreviewRoute } from './change-preview.ts';
import { offeringChangeRoute } from './offering-change.ts';
import { pauseRoute } from './pause.ts';
import { payInvoiceRoute } from './pay-invoice.ts';
import { planChangeRoute } from './plan-change.ts';
import { planChangeCancelRoute } from './plan-change-cancel.ts';
import { quantityRoute } from './quantity.ts';
import { resumeRoute } from './resume.ts';
import { trialRoute } from './trial.ts';

export function subscriptionRoutes(context: ApiContext): readonly Route[] {
  return [
    cancelSubscriptionRoute(context),
    cancelUndoRoute(context),
    pauseRoute(context),
    resumeRoute(context),
    trialRoute(context),
    planChangeRoute(context),
    planChangePreviewRoute(context),
    offeringChangeRoute(context),
    quantityRoute(context),
    quantityPreviewRoute(context),
    cancelPreviewRoute(context),
    planChangeCancelRoute(context),
    payInvoiceRoute(context),
    advanceSubscriptionRoute(context),
  ];
}
