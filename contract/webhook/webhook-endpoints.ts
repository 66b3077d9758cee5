/** Webhook endpoints and the log of deliveries, as they cross HTTP under `/v1/merchants/:merchantId`. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import { requiredText } from '../core/text.ts';
import { eventType, TEST_EVENT_TYPE } from './events.ts';

const instant = z.iso.datetime();
const YEAR_10000_MS = Date.UTC(10_000, 0);
/**
 * An instant of a request: any offset, also one beyond the fifteen hours that PostgreSQL knows, so that it is
 * put into UTC before it goes there; and a year of four digits in UTC too.
 */
const givenInstant = z.iso
  .datetime({ offset: true })
  .refine((value) => Date.parse(value) >= 0 && Date.parse(value) < YEAR_10000_MS, {
    error: 'must be between the years 1970 and 9999, in UTC',
  });
/** A reference to a row: what cannot be one is found nowhere. */
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
    event_types: z.array(z.string()).nullable().meta({ description: 'Null: every type.' }),
    standard_headers: z.boolean().meta({
      description: 'Adds webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks.',
    }),
    status: z.enum(['enabled', 'paused', 'disabled']),
    disabled_reason: z
      .enum(['gone', 'failing'])
      .nullable()
      .meta({ description: 'gone: it answered 410. failing: five days of nothing but failure.' }),
    failing_since: instant.nullable().meta({ description: 'Since when nothing but failure.' }),
    previous_secret_until: instant
      .nullable()
      .meta({ description: 'Until when the secret before the present one signs too.' }),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

const url = requiredText(MAX_URL_LENGTH);
const eventTypes = z.array(eventType).min(1).max(50).nullable();

export const newWebhookEndpoint = z.object({
  environment,
  url,
  event_types: eventTypes.optional(),
  standard_headers: z.boolean().optional(),
});

export const webhookEndpointChanges = z.object({
  url: url.optional(),
  event_types: eventTypes.optional(),
  standard_headers: z.boolean().optional(),
  status: z.enum(['enabled', 'paused']).optional(),
});

export const secretRotation = z.object({
  overlap: z
    .boolean()
    .optional()
    .meta({ description: 'The present secret signs too for 24 hours. Refused while an overlap runs.' }),
});

export const recoveryRequest = z.object({
  since: givenInstant.meta({ description: 'Events from this instant on.' }),
});

export const resendRequest = z.object({
  endpoint_id: reference.optional().meta({ description: 'Absent: every endpoint that it was for.' }),
});

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
    deliveries: z.array(webhookDelivery).meta({ description: 'Empty: no endpoint subscribed to the type.' }),
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
    status: z.int().nullable().meta({ description: 'HTTP status; null when there was no answer.' }),
    error: z.string().nullable().meta({ description: 'In words; null when it was delivered.' }),
    response: z.string().nullable().meta({ description: 'The first 2 KiB of the answer.' }),
    next_attempt_at: instant.nullable(),
  })
  .meta({ id: 'WebhookLogAttempt' });
export type LoggedAttempt = z.infer<typeof loggedAttempt>;

export const environmentQuery = z.object({ environment: environment.optional() });

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
 * Where webhooks may go: HTTPS, or in development HTTP on this machine. The addresses behind a name are
 * judged when it is connected to.
 * @returns the URL in its one canonical form; null when it cannot be an endpoint
 */
export function canonicalEndpointUrl(text: string, allowLoopback: boolean): string | null {
  const url = URL.parse(text);
  if (!url || url.username || url.password || url.hash) return null;
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && loopback && allowLoopback);
  return allowed && url.href.length <= MAX_URL_LENGTH ? url.href : null;
}
