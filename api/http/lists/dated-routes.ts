/**
 * A list by date with status and period: `GET /v1/merchants/:merchantId/search/<name>`, paginated, and `GET
 * /v1/merchants/:merchantId/exports/<name>` as CSV.
 */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { type datedQuery, examplePageOf, merchantIdPath } from '../../../contract/core/pages.ts';
import type { DatedPosition, DatedSearch } from '../../../db/core/dated-search.ts';
import type { Db } from '../../../db/core/pool.ts';
import { csvLine } from '../../../domain/core/csv.ts';
import type { MerchantGate } from '../auth/merchant-gate.ts';
import type { ApiContext } from '../context.ts';
import { parseRequest } from '../request/parse-request.ts';
import type { Route } from '../route.ts';
import { readCursor, sendPage } from './cursor.ts';
import { environmentScope } from './environment-scope.ts';
import { type CsvColumns, EXPORT_BATCH_ROWS, sendCsv } from './send-csv.ts';

const position = z.tuple([z.int().nonnegative(), z.string().max(64)]);

interface DatedList<Row> {
  readonly name: string;
  readonly searchId: string;
  readonly exportId: string;
  /** Ends with a full stop. */
  readonly about: string;
  readonly query: typeof datedQuery;
  readonly page: z.ZodType;
  readonly example: Row;
  readonly columns: CsvColumns<Row>;
  readonly positionOf: (row: Row) => DatedPosition;
  readonly search: (db: Db, search: DatedSearch, after: DatedPosition | null) => Promise<readonly Row[]>;
}

export function datedRoutes<Row>(
  context: ApiContext,
  gate: MerchantGate,
  list: DatedList<Row>,
): readonly Route[] {
  const { pool, readerPool = pool } = context;
  const { name, columns, positionOf, search } = list;
  const filter = (parsed: Filter) => {
    const { status = null, from = null, to = null } = parsed;
    return { status, from, to };
  };

  const find: RequestHandler = async (request, response) => {
    const parsed: z.infer<typeof datedQuery> & Filter = parseRequest(list.query, request.query);
    const { limit, cursor } = parsed;
    const narrowed = { ...filter(parsed), scope: environmentScope(request, response), limit: limit + 1 };
    const rows = await search(readerPool, narrowed, readCursor(cursor, position));
    sendPage(response, rows, limit, positionOf);
  };

  const whole = wholeList(list);
  const send: RequestHandler = async (request, response) => {
    const narrowed = {
      ...filter(parseRequest(whole, request.query)),
      scope: environmentScope(request, response),
      limit: EXPORT_BATCH_ROWS,
    };
    const read = (after: Row | null) => search(readerPool, narrowed, after && positionOf(after));
    await sendCsv(context, response, { name, columns, filter: narrowed, read });
  };

  const path = '/v1/merchants/:merchantId' as const;
  return [
    {
      method: 'get',
      path: `${path}/search/${name}`,
      handlers: [...gate.read, find],
      describe: describeSearch(list),
    },
    {
      method: 'get',
      path: `${path}/exports/${name}`,
      handlers: [...gate.read, send],
      describe: describeExport(list),
    },
  ];
}

const COMMON = { tag: 'Dashboard', security: 'apiKeyOrPerson', path: merchantIdPath } as const;

function describeSearch<Row>(list: DatedList<Row>): OperationDescription {
  return {
    ...COMMON,
    operationId: list.searchId,
    summary: `List ${list.name} by date`,
    description: `${list.about} Paginated.`,
    query: list.query,
    answers: {
      200: { description: 'A page.', schema: list.page, example: examplePageOf(list.example) },
    },
    errors: ['invalid_request'],
  };
}

function describeExport<Row>(list: DatedList<Row>): OperationDescription {
  return {
    ...COMMON,
    operationId: list.exportId,
    summary: `Export ${list.name} as CSV`,
    description: `All rows of \`GET …/search/${list.name}\`, streamed, as for \`GET …/exports/payments\`.`,
    query: wholeList(list),
    answers: {
      200: {
        description: 'The list.',
        schema: z.string(),
        example: csvLine(Object.keys(list.columns)),
        contentType: 'text/csv',
      },
    },
    errors: ['invalid_request'],
  };
}

/** Returns an export's query parameters: the search's without pagination. */
function wholeList<Row>({ query }: DatedList<Row>) {
  return query.omit({ cursor: true, limit: true });
}

interface Filter {
  readonly status?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}
