/** The headers that answers and requests of many operations have in common. */
import { z } from 'zod';

const seconds = z.string().regex(/^\d+$/);

const requestIdHeader = z.string().meta({
  header: { id: 'RequestId', description: 'Names the request, as request_id in the body.' },
  example: 'req_0b9f2f0c3ad94a0f9a63a2d9f52c1e77',
});
const serviceVersion = z.string().meta({
  header: { id: 'ServiceVersion', description: 'The version of the contract that answers.' },
  example: '2026-01-01',
});

/** Of every answer. */
export const everyAnswer = { 'x-request-id': requestIdHeader, 'Service-Version': serviceVersion };

export const retryAfter = seconds.optional().meta({
  header: { id: 'RetryAfter', description: 'Seconds to wait before the next try.' },
  example: '1',
});
export const wwwAuthenticate = z.string().meta({
  header: { id: 'WwwAuthenticate', description: 'Bearer, as HTTP asks for it.' },
  example: 'Bearer',
});
export const idempotencyReplayed = z
  .literal('true')
  .optional()
  .meta({
    header: {
      id: 'IdempotencyReplayed',
      description: 'The answer to an earlier request with this Idempotency-Key, once more.',
    },
  });
const flowId = z.string().meta({
  header: { id: 'FlowId', description: 'The durable workflow behind the answer. Keep it for support.' },
  example: 'ap_chk_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
});

/** Of an answer behind which a durable workflow stands. */
export const withFlowId = z.object({ 'x-service-flow-id': flowId });

/** Of every answer of a route with a rate limit, but to what could not even be read. */
export const rateLimit = {
  'RateLimit-Limit': seconds.optional().meta({
    header: { id: 'RateLimitLimit', description: 'Requests that the window allows.' },
  }),
  'RateLimit-Remaining': seconds.optional().meta({
    header: { id: 'RateLimitRemaining', description: 'Requests left in the window.' },
  }),
  'RateLimit-Reset': seconds.optional().meta({
    header: { id: 'RateLimitReset', description: 'Seconds until the window begins again.' },
  }),
};

export const idempotencyKeyParameter = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/)
  .meta({
    description:
      '1 to 255 printable ASCII characters. Repeat it to retry the same operation with the same body; take a ' +
      'new one for another. Keys are remembered for 30 days, those of money movements for ever.',
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
  description: 'Sent by the browser. Compared as it stands with the origins of the storefront client.',
  example: 'https://shop.example',
});
