/** A paginated list of one environment, newest first by id: `GET /v1/merchants/:merchantId/search/<name>`. */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { examplePageOf, merchantIdPath, type pageQuery } from '../../../contract/core/pages.ts';
import type { ListSearch } from '../../../db/core/list-search.ts';
import type { Db } from '../../../db/core/pool.ts';
import { csvLine } from '../../../domain/core/csv.ts';
import { readSearch } from '../../../domain/core/search.ts';
import type { MerchantGate } from '../auth/merchant-gate.ts';
import type { ApiContext } from '../context.ts';
import { parseRequest } from '../request/parse-request.ts';
import type { Route } from '../route.ts';
import { readCursor, sendPage } from './cursor.ts';
import { environmentScope } from './environment-scope.ts';
import { type CsvColumns, EXPORT_BATCH_ROWS, sendCsv } from './send-csv.ts';

const position = z.tuple([z.string().max(64)]);

/** Parameters of the lists' queries; not every list has a status or a period. */
interface Filter {
  readonly q?: string | undefined;
  readonly status?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly prints_codes?: 'true' | undefined;
}

interface SearchRoute<Row extends { readonly id: string }> {
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly query: typeof pageQuery;
  readonly page: z.ZodType;
  readonly example: Row;
  readonly search: (db: Db, search: ListSearch) => Promise<readonly Row[]>;
}

interface ExportRoute<Row extends { readonly id: string }>
  extends Pick<SearchRoute<Row>, 'name' | 'query' | 'search'> {
  readonly exportId: string;
  readonly columns: CsvColumns<Row>;
}

/** Serves a search's complete list as a CSV file: `GET …/exports/<name>`. */
export function exportRoute<Row extends { readonly id: string }>(
  context: ApiContext,
  gate: MerchantGate,
  { name, exportId, columns, query, search }: ExportRoute<Row>,
): Route {
  const { pool, readerPool = pool } = context;
  const whole = query.omit({ cursor: true, limit: true });
  const send: RequestHandler = async (request, response) => {
    const parsed: Filter = parseRequest(whole, request.query);
    const { q, status = null, from = null, to = null, prints_codes: printsCodes } = parsed;
    const scope = environmentScope(request, response);
    const term = q === undefined ? null : readSearch(q);
    const read = (after: Row | null) =>
      search(readerPool, {
        ...{ scope, term, status, from, to },
        printsCodes: printsCodes === 'true',
        after: after?.id ?? null,
        limit: EXPORT_BATCH_ROWS,
      });
    await sendCsv(context, response, { name, columns, filter: { scope, term, status, from, to }, read });
  };
  return {
    method: 'get',
    path: `/v1/merchants/:merchantId/exports/${name}`,
    handlers: [...gate.read, send],
    describe: {
      operationId: exportId,
      tag: 'Dashboard',
      summary: `Export ${name} as CSV`,
      description: `All rows of \`GET …/search/${name}\`, streamed, as for \`GET …/exports/payments\`.`,
      security: 'apiKeyOrPerson',
      path: merchantIdPath,
      query: whole,
      answers: {
        200: {
          description: 'The list.',
          schema: z.string(),
          example: csvLine(Object.keys(columns)),
          contentType: 'text/csv',
        },
      },
      errors: ['invalid_request'],
    },
  };
}

export function searchRoute<Row extends { readonly id: string }>(
  { pool, readerPool = pool }: ApiContext,
  gate: MerchantGate,
  route: SearchRoute<Row>,
): Route {
  const find: RequestHandler = async (request, response) => {
    const parsed: z.infer<typeof pageQuery> & Filter = parseRequest(route.query, request.query);
    const { q, status = null, from = null, to = null, prints_codes: printsCodes, cursor, limit } = parsed;
    const scope = environmentScope(request, response);
    const [after = null] = readCursor(cursor, position) ?? [];
    const term = q === undefined ? null : readSearch(q);
    const rows = await route.search(readerPool, {
      ...{ scope, term, status, from, to },
      printsCodes: printsCodes === 'true',
      after,
      limit: limit + 1,
    });
    sendPage(response, rows, limit, ({ id }) => [id]);
  };
  return {
    method: 'get',
    path: `/v1/merchants/:merchantId/search/${route.name}`,
    handlers: [...gate.read, find],
    describe: descriptionOf(route),
  };
}

function descriptionOf<Row extends { readonly id: string }>(route: SearchRoute<Row>): OperationDescription {
  return {
    operationId: route.operationId,
    tag: 'Dashboard',
    summary: route.summary,
    description: `Newest first, paginated. ${route.description}`,
    security: 'apiKeyOrPerson',
    path: merchantIdPath,
    query: route.query,
    answers: {
      200: { description: 'A page.', schema: route.page, example: examplePageOf(route.example) },
    },
    errors: ['invalid_request'],
  };
}
