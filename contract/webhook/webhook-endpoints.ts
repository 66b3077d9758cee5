/** Webhook endpoints and the delivery log over HTTP, under `/v1/merchants/:merchantId`. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { givenInstant } from '../core/fields.ts';
import { isLoopback } from '../core/loopback.ts';
import { requiredText } from '../core/text.ts';
import { CLOSED } from '../core/unknown-field.ts';
import { eventType, TEST_EVENT_TYPE } from './events.ts';

const instant = z.iso.datetime();
/** An id, checked only as text: an unknown id matches no row. */
const reference = requiredText(64);
const environment = z.enum(ENVIRONMENTS);

export const MAX_ENDPOINTS = 10;
const MAX_URL_LENGTH = 500;

export const webhookEndpoint = z
  .object({
    id: z.string(),
    merchant_id: z.string(),
    environment,
    url: z.string(),
    event_types: z.array(z.string()).nullable().meta({ description: 'Null means every type.' }),
    standard_headers: z.boolean().meta({
      description: 'Adds webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks.',
    }),
    status: z.enum(['enabled', 'paused', 'disabled']),
    disabled_reason: z
      .enum(['gone', 'failing'])
      .nullable()
      .meta({ description: 'gone: it answered 410. failing: only failures for five days.' }),
    failing_since: instant.nullable().meta({ description: 'Start of the current run of failures.' }),
    failing_status: z.int().nullable().meta({
      description: 'HTTP status of the latest failure in the run; null without a response.',
    }),
    failing_waiting: z.int().nullable().meta({
      description: 'Deliveries that wait while it fails or is slow, counted up to 10,000; otherwise null.',
    }),
    slow_answer_ms: z.int().nullable().meta({
      description:
        'Average response time of its latest deliveries if events have waited 15 minutes for its responses; otherwise null.',
    }),
    previous_secret_until: instant
      .nullable()
      .meta({ description: 'How long the previous secret also signs.' }),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

const url = requiredText(MAX_URL_LENGTH);
const eventTypes = z
  .array(z.union([eventType, z.literal(TEST_EVENT_TYPE)]))
  .min(1)
  .max(50);

export const newWebhookEndpoint = z
  .object({
    environment,
    url,
    event_types: eventTypes.optional(),
    standard_headers: z.boolean().optional(),
  })
  .meta({ id: 'WebhookEndpointRequest' });

export const webhookEndpointChanges = z
  .object({
    url: url.optional(),
    event_types: eventTypes.nullish().meta({ description: 'Null selects every type.' }),
    standard_headers: z.boolean().optional(),
    status: z.enum(['enabled', 'paused']).optional(),
  })
  .meta({ id: 'WebhookEndpointChanges', ...CLOSED });

export const secretRotation = z
  .object({
    overlap: z.boolean().optional().meta({
      description:
        'If true, the current secret also signs for 24 hours. Rejected while an earlier overlap lasts.',
    }),
  })
  .meta({ id: 'WebhookSecretRotation', ...CLOSED });

export const recoveryRequest = z
  .object({
    since: givenInstant.meta({ description: 'Events from this instant on.' }),
  })
  .meta({ id: 'WebhookRecoveryRequest' });

export const resendRequest = z
  .object({
    endpoint_id: reference
      .optional()
      .meta({ description: 'If absent, all original endpoints of the event.' }),
  })
  .meta({ id: 'WebhookResendRequest' });

const deliveryStatus = z.enum(['pending', 'succeeded', 'exhausted', 'held']);

const webhookDelivery = z
  .object({
    endpoint_id: z.string(),
    status: deliveryStatus,
    attempts: z.int(),
    next_attempt_at: instant.nullable(),
    last_attempt_at: instant.nullable(),
    last_status: z.int().nullable().meta({ description: 'HTTP status of the last attempt.' }),
    last_error: z.string().nullable(),
    succeeded_at: instant.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const loggedEvent = z
  .object({
    id: z.string(),
    environment,
    type: z.union([eventType, z.literal(TEST_EVENT_TYPE)]),
    occurred_at: instant,
    recorded_at: instant,
    deliveries: z
      .array(webhookDelivery)
      .meta({ description: 'Empty if no endpoint was subscribed to the type.' }),
  })
  .meta({ id: 'WebhookLogEvent' });
export type LoggedEvent = z.infer<typeof loggedEvent>;

export const loggedAttempt = z
  .object({
    event_id: z.string(),
    event_type: z.string(),
    endpoint_id: z.string(),
    environment,
    attempt: z.int(),
    at: instant.meta({ description: 'When it ended.' }),
    duration_ms: z.int(),
    status: z.int().nullable().meta({ description: 'HTTP status; null without a response.' }),
    error: z.string().nullable().meta({ description: 'Human-readable; null if it was delivered.' }),
    response: z.string().nullable().meta({ description: 'The first 2 KiB of the response.' }),
    request_headers: z
      .record(z.string(), z.string())
      .meta({ description: 'The headers as sent, with the signature.' }),
    next_attempt_at: instant.nullable(),
  })
  .meta({ id: 'WebhookLogAttempt' });
export type LoggedAttempt = z.infer<typeof loggedAttempt>;

const limit = z.coerce.number().int().min(1).max(100).default(50);
const logFilter = z.object({
  environment: environment.optional(),
  type: z.union([eventType, z.literal(TEST_EVENT_TYPE)]).optional(),
  from: givenInstant.optional(),
  to: givenInstant.optional(),
  endpoint_id: reference.optional(),
  cursor: z.string().max(300).optional(),
  limit,
});
export const eventLogQuery = logFilter.extend({ status: deliveryStatus.optional() });
export const attemptLogQuery = logFilter.extend({
  event_id: reference.optional(),
  status: z.enum(['succeeded', 'failed']).optional(),
});

/**
 * Validates a webhook endpoint's URL: HTTPS or, in development, HTTP on this machine. The addresses behind a name are
 * checked when a delivery connects.
 *
 * @returns the URL in canonical form; null if it cannot be an endpoint
 */
export function canonicalEndpointUrl(text: string, allowLoopback: boolean): string | null {
  const url = URL.parse(text);
  if (!url || url.username || url.password || url.hash) return null;
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && allowLoopback && isLoopback(url));
  return allowed && url.href.length <= MAX_URL_LENGTH ? url.href : null;
}
