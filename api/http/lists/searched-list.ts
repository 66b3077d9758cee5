/**
 * A searched list of one environment: `GET /v1/merchants/:merchantId/search/<name>`, paginated, and `GET
 * /v1/merchants/:merchantId/exports/<name>`, complete and as CSV.
 */
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { AnswerDescription, OperationDescription } from '../../../contract/core/operation.ts';
import type { pageQuery } from '../../../contract/core/pagination.ts';
import type { DatedPosition } from '../../../db/core/lists/dated-search.ts';
import type { ListSearch } from '../../../db/core/lists/list-search.ts';
import type { Db } from '../../../db/core/pool.ts';
import type { Environment } from '../../../domain/core/environment.ts';
import { readSearch } from '../../../domain/core/search.ts';
import type { MerchantGate } from '../authentication/merchant-gate.ts';
import type { ApiContext } from '../context.ts';
import { parseRequest } from '../request/parse-request.ts';
import { sendResource } from '../resource.ts';
import type { Route } from '../route.ts';
import { pageAfter, positionId, readCursor } from './cursor.ts';
import { environmentScope } from './environment-scope.ts';
import { type CsvColumns, csvAnswer, EXPORT_BATCH_ROWS, sendCsv } from './send-csv.ts';

/** `[Unix milliseconds, id]`; the first is 0 in a list ordered by id alone. */
const position = z.tuple([z.int().nonnegative(), positionId]);

/** The query parameters of all lists; not every list has each of them. */
interface Filter {
  readonly environment?: Environment | undefined;
  readonly q?: string | undefined;
  readonly status?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly prints_codes?: 'true' | undefined;
}

type Described = Pick<OperationDescription, 'operationId' | 'summary' | 'description'>;

interface SearchedList<Row extends { readonly id: string }> {
  readonly name: string;
  readonly query: z.ZodObject<Omit<typeof pageQuery.shape, 'q'>>;
  /** Returns the date that orders the list; absent if the list is ordered by id. */
  readonly datedBy?: (row: Row) => string;
  /** `after` is the position of the last row read; `search.after` is that row's id. */
  readonly search: (db: Db, search: ListSearch, after: DatedPosition | null) => Promise<readonly Row[]>;
  readonly page: Described & Required<Pick<AnswerDescription, 'schema' | 'example'>>;
  /** Absent if the list is not exported. */
  readonly csv?: Pick<Described, 'operationId'> & Partial<Described> & { readonly columns: CsvColumns<Row> };
}

export function searchedList<Row extends { readonly id: string }>(
  context: ApiContext,
  gate: MerchantGate,
  { name, query, datedBy, search, page, csv }: SearchedList<Row>,
): readonly Route[] {
  const { pool, readerPool = pool } = context;
  const whole = query.omit({ cursor: true, limit: true });
  const positionOf = (row: Row): DatedPosition => [datedBy ? Date.parse(datedBy(row)) : 0, row.id];
  const read = (filter: Narrowing, limit: number, after: DatedPosition | null) =>
    search(readerPool, { ...filter, limit, after: after?.[1] ?? null }, after);
  const routeOf = (
    kind: 'search' | 'exports',
    about: Described & Pick<OperationDescription, 'query' | 'answers'>,
    handler: RequestHandler,
  ): Route => ({
    method: 'get',
    path: `/v1/merchants/:merchantId/${kind}/${name}`,
    handlers: [...gate.allow('read'), handler],
    describe: { ...COMMON, ...about },
  });

  const find: RequestHandler = async (request, response) => {
    const { cursor, limit } = parseRequest(query, request.query);
    const filter = narrowedBy(query, request, response);
    const rows = await read(filter, limit + 1, readCursor(cursor, position));
    sendResource(response, 200, pageAfter(rows, limit, positionOf));
  };
  const { schema, example, ...asPage } = page;
  const found = { description: 'A page.', schema, example };
  const paged = routeOf('search', { ...asPage, query, answers: { 200: found } }, find);
  if (!csv) return [paged];

  const { columns, ...asFile } = csv;
  const send: RequestHandler = async (request, response) => {
    const filter = narrowedBy(whole, request, response);
    const next = (after: Row | null) => read(filter, EXPORT_BATCH_ROWS, after && positionOf(after));
    await sendCsv(context, response, { name, columns, filter, read: next });
  };
  const about = {
    summary: `Export ${name} as CSV`,
    description: `All rows of \`GET …/search/${name}\`, streamed, as for \`GET …/exports/payments\`.`,
    ...asFile,
    query: whole,
    answers: { 200: csvAnswer('The list.', columns) },
  };
  return [paged, routeOf('exports', about, send)];
}

const COMMON = {
  tag: 'Dashboard',
  security: 'apiKeyOrPerson',
} as const;

type Narrowing = Omit<ListSearch, 'after' | 'limit'>;

function narrowedBy(query: z.ZodType<Filter>, request: Request, response: Response): Narrowing {
  const { q, status = null, from = null, to = null, prints_codes } = parseRequest(query, request.query);
  const scope = environmentScope(request, response);
  const term = q === undefined ? null : readSearch(q);
  return { scope, term, status, from, to, printsCodes: prints_codes === 'true' };
}
