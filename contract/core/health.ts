/** GET /healthz. */
import { z } from 'zod';
import { requestId } from './answers.ts';

const reached = z.enum(['ok', 'unreachable']);

export const health = z
  .object({
    status: z.enum(['ok', 'degraded', 'unavailable']),
    postgres: reached,
    temporal: reached,
    request_id: requestId,
  })
  .meta({ id: 'Health' });
