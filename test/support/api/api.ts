/** The API in this process, on a free port, with a separate database and Temporal namespace. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { pino } from 'pino';
import { createApi, type ServerOptions } from '../../../api/server.ts';
import { REASONS } from '../../../contract/core/faults.ts';
import { openPool, type Pool } from '../../../db/core/pool.ts';
import { serializers } from '../../../platform/observability/logger.ts';
import type { SecretBox } from '../../../platform/secrets/encryption.ts';
import { openTemporal } from '../../../platform/temporal/client.ts';
import type { Rail } from '../../../rail/rail.ts';
import { TEST_PEPPER, testSecretBox } from '../db/fixtures.ts';
import { createTestDatabase } from '../db/postgres.ts';
import { createTestNamespace, type TestNamespace } from '../temporal/temporal.ts';
import { watchAnswers } from './answer-watch.ts';

export interface TestApi {
  readonly url: string;
  readonly pool: Pool;
  readonly databaseUrl: string;
  readonly temporal: Client;
  /** Every logged line so far, as text. */
  readonly logLines: readonly string[];
  /** Sends JSON (or `raw` unchanged) and reads the response. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  stop(): Promise<void>;
}

export interface RequestOptions {
  readonly apiKey?: string;
  readonly body?: unknown;
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect answers of any shape.
  readonly body: any;
}

export interface TestApiOptions extends ServerOptions {
  /** Defaults to a new namespace on the shared server. */
  readonly temporal?: TestNamespace;
  /** Defaults to a new database, dropped afterwards. */
  readonly databaseUrl?: string;
  /** The pool for requests of the sandbox. */
  readonly sandboxPool?: Pool;
  /** The pool from which lists are read. */
  readonly readerPool?: Pool;
  readonly sandboxReaderPool?: Pool;
  /** The amount in cents above which a second person must confirm; by default none has to. */
  readonly secondPersonAbove?: number;
  /** Wraps the API's pool. */
  readonly poolThrough?: (pool: Pool) => Pool;
  /** Defaults to `testSecretBox`. */
  readonly secretBox?: SecretBox;
  /** Defaults to `https://pay.example`. */
  readonly publicUrl?: string;
  /** Defaults to a sandbox rail that is never called. */
  readonly rails?: ReadonlyMap<string, Rail>;
}

export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const ownDatabase = options.databaseUrl ? undefined : await createTestDatabase();
  const databaseUrl = options.databaseUrl ?? ownDatabase?.url ?? '';
  const pool = await openPool({ url: databaseUrl });
  const temporal = openTemporal(options.temporal ?? (await createTestNamespace()));
  const logLines: string[] = [];
  const logger = pino({ level: 'debug', serializers }, { write: (line: string) => void logLines.push(line) });
  const config = {
    api: { publicUrl: options.publicUrl ?? 'https://pay.example' },
    database: { url: databaseUrl },
    secrets: { apiKeyPepper: TEST_PEPPER },
    session: {
      lifetimeSeconds: 1_800,
      maxAttempts: 5,
      timings: { reconcileSeconds: [2, 5], reconcileLongSeconds: [300] },
    },
    operator: {
      links: { runbookUrl: 'docs/on-call.md' },
      secondPersonAbove: options.secondPersonAbove ?? null,
    },
    webhooks: { allowLoopback: true },
  };
  const rails = options.rails ?? new Map([['sandbox', { name: 'sandbox' } as Rail]]);
  const served = options.poolThrough?.(pool) ?? pool;
  const server = createApi(
    {
      pool: served,
      sandboxPool: options.sandboxPool ?? served,
      ...(options.readerPool && { readerPool: options.readerPool }),
      ...(options.sandboxReaderPool && { sandboxReaderPool: options.sandboxReaderPool }),
      temporal,
      rails,
      secretBox: options.secretBox ?? testSecretBox,
      logger,
      config,
    },
    options,
  );
  const watch = watchAnswers(server, logLines);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    pool,
    databaseUrl,
    temporal,
    logLines,
    async request(method, path, requestOptions) {
      const answer = await send(url + path, method, requestOptions);
      watch.check();
      return answer;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await temporal.connection.close();
      await pool.end();
      await ownDatabase?.drop();
      watch.check();
    },
  };
}

async function send(url: string, method: string, options: RequestOptions = {}): Promise<Answer> {
  const { apiKey, body, raw, headers = {} } = options;
  const response = await fetch(url, {
    method,
    headers: {
      ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      ...((body !== undefined || raw !== undefined) && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(raw !== undefined && { body: raw }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text ? JSON.parse(text) : text,
  };
}

/** Errors with the further field `total`; `expectRefusal` accepts no other field beyond the contract's shape and a fault. */
const WITH_TOTAL = ['change_needs_period_end', 'preview_outdated'];
/** Codes that always name the field that is at fault. */
const OF_FIELD = /^unknown_field$|^(checkout|payment_method_change)_\w+_(required|invalid)$/;

export function expectRefusal(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  expect(Object.keys(answer.body).sort()).toEqual(
    [
      ...['code', 'message', 'request_id'],
      ...(WITH_TOTAL.includes(code) ? ['total'] : []),
      ...faultKeys(answer.body),
    ].sort(),
  );
  if (OF_FIELD.test(code))
    expect(answer.body).toMatchObject({ field: expect.any(String), reason: expect.any(String) });
  expect(answer.body.message).toMatch(/\S/);
  expectMarks(answer);
}

/** A `limit` requires a `reason`, and a `reason` requires `field`, which may be null. */
function faultKeys(body: Readonly<Record<string, unknown>>): readonly string[] {
  if (!('reason' in body)) return [];
  expect(Object.keys(REASONS)).toContain(body.reason);
  return ['field', 'reason', ...('limit' in body ? ['limit'] : [])];
}

/** Checks the request id and the headers that every response has. */
export function expectMarks(answer: Answer): void {
  expect(answer.body.request_id).toMatch(/^req_[0-9a-f]{32}$/);
  expect(answer.headers.get('x-request-id')).toBe(answer.body.request_id);
  expect(answer.headers.get('service-version')).toBe('2026-01-01');
}
