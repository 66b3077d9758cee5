/** Responses of the routes for webhook endpoints and their log. */
import { z } from 'zod';
import { listOf, pageOf, requestId, single } from '../core/answers.ts';
import { EXAMPLE_MERCHANT_ID } from '../core/examples.ts';
import { exampleEvent } from './event-examples.ts';
import {
  type LoggedAttempt,
  type LoggedEvent,
  loggedAttempt,
  loggedEvent,
  type WebhookEndpoint,
  webhookEndpoint,
} from './webhook-endpoints.ts';

const ENDPOINT_ID = 'ap_whe_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8';
const RECORDED = '2026-01-31T09:30:00.000Z';

export const deletedAnswer = z
  .object({ id: z.string(), deleted: z.literal(true), request_id: requestId })
  .meta({ id: 'DeletedWebhookEndpoint' });
export const testEventAnswer = z
  .object({ event_id: z.string(), request_id: requestId })
  .meta({ id: 'SentTestEvent' });
export const recoveryAnswer = z
  .object({
    endpoint_id: z.string(),
    since: z.iso.datetime(),
    until: z.iso.datetime().meta({ description: 'Events after this instant are delivered normally.' }),
    request_id: requestId,
  })
  .meta({ id: 'WebhookRecovery' });
export const resendAnswer = z
  .object({
    event_id: z.string(),
    endpoint_ids: z.array(z.string()),
    request_id: requestId,
  })
  .meta({ id: 'WebhookResend' });

export const exampleEndpoint: WebhookEndpoint = {
  id: ENDPOINT_ID,
  merchant_id: EXAMPLE_MERCHANT_ID,
  environment: 'sandbox',
  url: 'https://shop.example/webhooks',
  event_types: ['payment.succeeded', 'payment.failed'],
  standard_headers: false,
  status: 'enabled',
  disabled_reason: null,
  failing_since: null,
  failing_status: null,
  failing_waiting: null,
  slow_answer_ms: null,
  previous_secret_until: null,
  created_at: RECORDED,
  updated_at: RECORDED,
};
const exampleWithSecret = {
  ...exampleEndpoint,
  secret: `whsec_${'RXhhbXBsZSBvbmx5'.repeat(2)}`,
};

const event = exampleEvent('payment.succeeded');
export const exampleLoggedEvent: LoggedEvent = {
  id: event.id,
  environment: 'sandbox',
  type: event.type,
  occurred_at: event.occurred_at,
  recorded_at: RECORDED,
  deliveries: [
    {
      endpoint_id: ENDPOINT_ID,
      status: 'succeeded',
      attempts: 1,
      next_attempt_at: null,
      last_attempt_at: RECORDED,
      last_status: 200,
      last_error: null,
      succeeded_at: RECORDED,
    },
  ],
};
const exampleEventAnswer = { ...exampleLoggedEvent, body: JSON.stringify(event) };
const exampleAttempt: LoggedAttempt = {
  event_id: event.id,
  event_type: event.type,
  endpoint_id: ENDPOINT_ID,
  environment: 'sandbox',
  attempt: 1,
  at: RECORDED,
  duration_ms: 84,
  status: 200,
  error: null,
  response: 'ok',
  request_headers: {
    'content-type': 'application/json',
    'service-event-id': event.id,
    'service-delivery-attempt': '1',
    'service-signature': `t=1769851800,v1=${'8f'.repeat(32)}`,
  },
  next_attempt_at: null,
};

export const endpointAnswer = single(webhookEndpoint, exampleEndpoint);
export const endpointListAnswer = listOf(webhookEndpoint, exampleEndpoint);
export const eventPage = pageOf(loggedEvent, exampleLoggedEvent);
export const attemptPage = pageOf(loggedAttempt, exampleAttempt);
export const secretAnswer = single(
  webhookEndpoint.extend({ secret: z.string().meta({ description: 'Shown only once.' }) }),
  exampleWithSecret,
  'WebhookEndpointWithSecret',
);
export const eventAnswer = single(
  loggedEvent.extend({ body: z.string().meta({ description: 'The JSON text of every delivery.' }) }),
  exampleEventAnswer,
  'WebhookLogEventAnswer',
);
