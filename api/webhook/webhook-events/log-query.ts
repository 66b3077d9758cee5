/** Filters and cursor of the delivery log's two lists. */
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { LogFilter } from '../../../db/webhook/search-deliveries.ts';
import { accessOf } from '../../http/exchange.ts';
import { readCursor } from '../../http/lists/cursor.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import { parseFields } from '../../http/request/parse-fields.ts';

interface LogQuery {
  readonly type?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly endpoint_id?: string | undefined;
  readonly event_id?: string | undefined;
  readonly status?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** @throws ApiError 400, whose message names the parameter */
export function readLogQuery(
  schema: z.ZodType<LogQuery>,
  position: z.ZodType<string[]>,
  request: Request,
  response: Response,
) {
  const query = parseFields(schema, request.query, 'webhook_log');
  const filter: LogFilter = {
    merchantId: accessOf(response).merchantId,
    environment: environmentFilter(request, response),
    type: query.type,
    from: query.from,
    to: query.to,
    endpointId: query.endpoint_id,
    eventId: query.event_id,
    status: query.status,
    limit: query.limit,
  };
  return { filter, after: readCursor(query.cursor, position) };
}

/**
 * An instant as `db/webhook/search-deliveries.ts` writes it: to the microsecond, in a year that PostgreSQL accepts.
 */
export const positionInstant = z.iso
  .datetime({ precision: 6 })
  .refine((value) => Date.parse(value) >= 0, { error: 'must not be before 1970' });
