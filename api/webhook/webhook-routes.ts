/** Webhook endpoints and their log, behind the gate that authorizes readers and administrators. */
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import type { Route } from '../http/route.ts';
import { listWebhookAttemptsRoute } from './webhook-attempts/list.ts';
import { createWebhookEndpointRoute } from './webhook-endpoints/create.ts';
import { deleteWebhookEndpointRoute } from './webhook-endpoints/delete.ts';
import { listWebhookEndpointsRoute } from './webhook-endpoints/list.ts';
import { recoverWebhookEndpointRoute } from './webhook-endpoints/recover.ts';
import { rotateWebhookSecretRoute } from './webhook-endpoints/rotate-secret.ts';
import { sendTestEventRoute } from './webhook-endpoints/send-test-event.ts';
import { showWebhookEndpointRoute } from './webhook-endpoints/show.ts';
import { updateWebhookEndpointRoute } from './webhook-endpoints/update.ts';
import { listWebhookEventsRoute } from './webhook-events/list.ts';
import { resendWebhookEventRoute } from './webhook-events/resend.ts';
import { showWebhookEventRoute } from './webhook-events/show.ts';

export function webhookRoutes(context: ApiContext, gate: MerchantGate): readonly Route[] {
  return [
    listWebhookEndpointsRoute,
    createWebhookEndpointRoute,
    showWebhookEndpointRoute,
    updateWebhookEndpointRoute,
    deleteWebhookEndpointRoute,
    rotateWebhookSecretRoute,
    sendTestEventRoute,
    recoverWebhookEndpointRoute,
    listWebhookEventsRoute,
    showWebhookEventRoute,
    resendWebhookEventRoute,
    listWebhookAttemptsRoute,
  ].map((route) => route(context, gate));
}
