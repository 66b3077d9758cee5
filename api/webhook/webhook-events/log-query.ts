/** Filters and cursor of the delivery log's two lists. */
import type { Request, Response } from 'express';
import { z } from 'zod';
import { requiredText } from '../../../contract/core/text.ts';
import type { LogFilter, Page } from '../../../db/webhook/delivery-log.ts';
import { ApiError } from '../../http/errors.ts';
import { accessOf, exchangeOf } from '../../http/exchange.ts';
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
  return { filter, after: query.cursor === undefined ? null : readCursor(query.cursor, position) };
}

export function sendPage<Row>(response: Response, { rows, next }: Page<Row>): void {
  const cursor = next && Buffer.from(JSON.stringify(next)).toString('base64url');
  response.json({ data: rows, next_cursor: cursor, request_id: exchangeOf(response).requestId });
}

/**
 * An instant as `db/webhook/delivery-log.ts` writes it: to the microsecond, in a year that PostgreSQL accepts.
 */
export const positionInstant = z.iso
  .datetime({ precision: 6 })
  .refine((value) => Date.parse(value) >= 0, { error: 'must be after 1970' });
/** Limits an id in a cursor, which is untrusted text, to what PostgreSQL can store. */
export const positionId = requiredText(64);

function readCursor(cursor: string, position: z.ZodType<string[]>): string[] {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new ApiError('invalid_request', { message: 'cursor must be a next_cursor of this list.' });
  }
}
