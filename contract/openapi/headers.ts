/** Headers shared by many operations. */
import { z } from 'zod';

const seconds = z.string().regex(/^\d+$/);

const requestIdHeader = z.string().meta({
  header: { id: 'RequestId', description: 'Identifies the request, like request_id in the body.' },
  example: 'req_0b9f2f0c3ad94a0f9a63a2d9f52c1e77',
});
const serviceVersion = z.string().meta({
  header: { id: 'ServiceVersion', description: 'The contract version of the response.' },
  example: '2026-01-01',
});

/** Headers of every response. */
export const everyAnswer = { 'x-request-id': requestIdHeader, 'Service-Version': serviceVersion };

export const retryAfter = seconds.optional().meta({
  header: { id: 'RetryAfter', description: 'Seconds to wait before retrying.' },
  example: '1',
});
export const wwwAuthenticate = z.string().meta({
  header: { id: 'WwwAuthenticate', description: 'Bearer, as HTTP requires.' },
  example: 'Bearer',
});
export const idempotencyReplayed = z
  .literal('true')
  .optional()
  .meta({
    header: {
      id: 'IdempotencyReplayed',
      description: 'The response repeats the response to an earlier request with this Idempotency-Key.',
    },
  });
const flowId = z.string().meta({
  header: {
    id: 'FlowId',
    description: 'The durable workflow behind the response. Quote it in support requests.',
  },
  example: 'ap_chk_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
});

/** Headers of responses backed by a durable workflow. */
export const withFlowId = z.object({ 'x-service-flow-id': flowId });

/** Headers of every response of a rate-limited route, unless the request could not be parsed. */
export const rateLimit = {
  'RateLimit-Limit': seconds.optional().meta({
    header: { id: 'RateLimitLimit', description: 'Requests allowed per window.' },
  }),
  'RateLimit-Remaining': seconds.optional().meta({
    header: { id: 'RateLimitRemaining', description: 'Requests left in the window.' },
  }),
  'RateLimit-Reset': seconds.optional().meta({
    header: { id: 'RateLimitReset', description: 'Seconds until the window resets.' },
  }),
};

export const idempotencyKeyParameter = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/)
  .meta({
    description:
      '1 to 255 printable ASCII characters. Repeat it to retry the same operation with the same body; use a ' +
      'new key for a new operation. Keys are kept for 30 days, keys of refunds that were made indefinitely.',
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  });
export const serviceVersionParameter = z
  .string()
  .optional()
  .meta({
    param: { id: 'ServiceVersion' },
    description: 'Clients send 2026-01-01. Another date does not select another contract.',
    example: '2026-01-01',
  });
export const originParameter = z.string().meta({
  description: 'Sent by the browser. Compared exactly with the origins of the storefront client.',
  example: 'https://shop.example',
});
