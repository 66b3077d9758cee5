/** A proxy in front of the processor that records requests and injects faults. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type Trouble =
  | 'dropBefore'
  | 'dropAfter'
  | 'serverError'
  | 'rateLimited'
  | 'lockTimeout'
  | 'truncated'
  | 'garbage'
  | 'slow';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string | null;
  readonly version: string | null;
  readonly body: string;
  /** Null if the request was not forwarded. */
  status: number | null;
}

interface Strike {
  readonly method: string;
  readonly path: RegExp;
  readonly trouble: Trouble;
  readonly count?: number;
  readonly delayMs?: number;
  /** Called when a fault hits a request, before it takes effect. */
  readonly onStruck?: () => void;
  /** A slow request is forwarded when this resolves, instead of after `delayMs`. */
  readonly until?: Promise<void>;
}

type Counted = Strike & { left: number };

export interface FaultProxy {
  readonly url: string;
  readonly seen: readonly Seen[];
  strike(strike: Strike): void;
  close(): Promise<void>;
}

/** @param authorization replaces each request's own header */
export async function startFaultProxy(targetUrl: string, authorization?: string): Promise<FaultProxy> {
  const seen: Seen[] = [];
  const strikes: Counted[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const entry = await read(request);
    seen.push(entry);
    const strike = takeStrike(strikes, entry);
    if (strike && (await answersItself(strike, response))) return;
    if (authorization) request.headers.authorization = authorization;
    const passed = await passOn(targetUrl, request, entry.body);
    entry.status = passed.status;
    answerWith(response, passed, strike?.trouble);
  }

  // Longer than the default of five seconds, so that a busy machine does not use a connection that is about
  // to close.
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    handle(request, response).catch(() => response.socket?.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    strike: (strike) => void strikes.push({ ...strike, left: strike.count ?? 1 }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(request: IncomingMessage): Promise<Seen> {
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    idempotencyKey: header(request, 'idempotency-key'),
    version: header(request, 'stripe-version'),
    body: await readAll(request),
    status: null,
  };
}

function takeStrike(strikes: readonly Counted[], { method, path }: Seen): Strike | undefined {
  const strike = strikes.find((each) => each.left > 0 && each.method === method && each.path.test(path));
  if (!strike) return undefined;
  strike.left -= 1;
  strike.onStruck?.();
  return strike;
}

/** Applies the request's fault before the processor sees the request. @returns whether the request is dropped */
async function answersItself(strike: Strike, response: ServerResponse): Promise<boolean> {
  switch (strike.trouble) {
    case 'dropBefore':
      response.socket?.destroy();
      return true;
    case 'serverError':
      answer(response, 500, { type: 'api_error', message: 'broken for a test' });
      return true;
    case 'rateLimited': {
      const error = { type: 'invalid_request_error', code: 'rate_limit' };
      answer(response, 429, error, { 'Retry-After': '1' });
      return true;
    }
    case 'lockTimeout':
      answer(response, 429, { type: 'invalid_request_error', code: 'lock_timeout' });
      return true;
    case 'slow':
      await (strike.until ?? sleep(strike.delayMs ?? 0));
      return false;
    default:
      return false;
  }
}

interface Passed {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

async function passOn(
  targetUrl: string,
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: string,
): Promise<Passed> {
  const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers;
  const answered = await fetch(targetUrl + url, {
    method,
    headers: rest as Record<string, string>,
    ...(body && { body }),
  });
  const kept = ['content-type', 'request-id', 'idempotent-replayed', 'retry-after'];
  return {
    status: answered.status,
    headers: Object.fromEntries([...answered.headers].filter(([name]) => kept.includes(name))),
    body: Buffer.from(await answered.arrayBuffer()),
  };
}

/** The processor's response, or its replacement on the way back. */
function answerWith(response: ServerResponse, passed: Passed, trouble: Trouble | undefined): void {
  switch (trouble) {
    case 'dropAfter':
      response.socket?.destroy();
      return;
    case 'truncated':
      response.writeHead(passed.status, { ...passed.headers, 'Content-Length': passed.body.length });
      response.write(passed.body.subarray(0, Math.floor(passed.body.length / 2)), () =>
        response.socket?.destroy(),
      );
      return;
    case 'garbage':
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>not what you asked for</html>');
      return;
    default:
      response.writeHead(passed.status, passed.headers).end(passed.body);
  }
}

function answer(
  response: ServerResponse,
  status: number,
  error: object,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json', ...headers })
    .end(JSON.stringify({ error }));
}

function header({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
