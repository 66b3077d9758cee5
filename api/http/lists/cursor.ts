/** List pagination. A cursor is opaque to clients and holds the position of the last row. */
import type { z } from 'zod';
import { requiredText } from '../../../contract/core/text.ts';
import { invalidRequest } from '../errors.ts';

/** Limits an id in a cursor, which is untrusted text, to what PostgreSQL can store. */
export const positionId = requiredText(64);

/** @throws ApiError 400 unless the text is a cursor that this list returned */
export function readCursor<Position>(
  cursor: string | undefined,
  position: z.ZodType<Position>,
): Position | null {
  if (cursor === undefined) return null;
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw invalidRequest('cursor must be a next_cursor of this list.', { field: 'cursor', reason: 'format' });
  }
}

/** @param rows one row more than the page size if there is a next page */
export function pageAfter<Row>(rows: readonly Row[], limit: number, positionOf: (row: Row) => unknown) {
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  return { data, next_cursor: last ? cursorOf(positionOf(last)) : null };
}

/** Like `pageAfter`, for a list whose cursor is the last row's id. */
export function pageAfterId<Row extends { readonly id: string }>(rows: readonly Row[], limit: number) {
  const data = rows.slice(0, limit);
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}

function cursorOf(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}
