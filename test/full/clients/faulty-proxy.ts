/** Between a client and the API: forwards requests, or answers with the next fault. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ProxiedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly idempotencyKey: string | undefined;
}

export interface FaultyProxy {
  readonly url: string;
  /** For the next requests, one fault each. */
  faults: string[];
  /** Each request that arrived since `reset`. */
  readonly requests: readonly ProxiedRequest[];
  reset(): void;
  close(): void;
}

export async function startFaultyProxy(apiUrl: string): Promise<FaultyProxy> {
  let requests: ProxiedRequest[] = [];
  const proxy = {
    url: '',
    faults: [] as string[],
    get requests() {
      return requests;
    },
    reset() {
      requests = [];
      proxy.faults = [];
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer(async (request, response) => {
    const idempotencyKey = request.headers['idempotency-key'] as string | undefined;
    requests.push({ method: request.method, path: request.url, idempotencyKey });
    const fault = proxy.faults.shift();
    if (fault && fault !== 'lose') return fail(fault, request, response);
    const answer = await pass(apiUrl, request);
    if (fault === 'lose') return void request.socket.destroy();
    const headers = [...answer.headers].filter(
      ([name]) => !/^(content-(length|encoding)|transfer)/.test(name),
    );
    response.writeHead(answer.status, headers.flat()).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}

async function pass(apiUrl: string, request: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
  return fetch(apiUrl + request.url, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
}

/** @param fault a status with its `Retry-After`, or a word */
function fail(fault: string, request: IncomingMessage, response: ServerResponse): void {
  const [word, retryAfter] = fault.split(' ');
  if (fault === 'hang') return;
  if (fault === 'hang up') return void request.socket.destroy();
  if (fault === 'html') return void response.writeHead(404, { 'content-type': 'text/html' }).end('<html>');
  if (fault === 'redirect') return void response.writeHead(301, { location: '/elsewhere' }).end();
  if (fault === 'no route') {
    const refusal = {
      code: 'route_not_found',
      message: 'No route matches this path.',
      request_id: 'req_fault',
    };
    response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
    return;
  }
  const code = word === '429' ? 'rate_limited' : 'dependency_unavailable';
  response
    .writeHead(Number(word), {
      'content-type': 'application/json',
      ...(retryAfter && { 'retry-after': retryAfter }),
    })
    .end(JSON.stringify({ code, message: 'Later.', request_id: 'req_fault' }));
}
