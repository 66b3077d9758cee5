import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { documentPage } from './document.ts';
import { type Export, Traces } from './traces.ts';

export interface ObserveOptions {
  readonly port: number;
  /** Absent if Prometheus is not installed. */
  readonly prometheusUrl: string | undefined;
  /** Folder of the dashboards; by default deploy/observability/. */
  readonly dashboards?: URL;
}

const project = (path: string) => new URL(`../../${path}`, import.meta.url);
const FILES: Readonly<Record<string, readonly [URL, string]>> = {
  '/': [project('sandbox/observe/public/index.html'), 'text/html; charset=utf-8'],
  '/observe.js': [project('sandbox/observe/public/observe.js'), 'text/javascript; charset=utf-8'],
  '/observe.css': [project('sandbox/observe/public/observe.css'), 'text/css; charset=utf-8'],
};

const DOCUMENT = /^\/docs\/(decisions\/)?[\w-]+\.md$/;
const PICTURE = /^\/test\/e2e\/screenshots\/[\w-]+\.png$/;

export async function startObserve(options: ObserveOptions) {
  const { port, prometheusUrl, dashboards = project('deploy/observability/') } = options;
  const traces = new Traces();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://observe');
    const send = (status: number, type: string, body: string | Buffer) =>
      void response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    const file = FILES[url.pathname];
    if (file) return send(200, file[1], await readFile(file[0]));
    const [, dashboard] = /^\/(business|operations)\.json$/.exec(url.pathname) ?? [];
    if (dashboard) {
      const name = `grafana-${dashboard}.json`;
      const text = await readFile(new URL(name, dashboards), 'utf8');
      const problem = problemOf(text);
      if (!problem) return send(200, 'application/json', text);
      return send(500, 'application/json', JSON.stringify({ error: `${name} cannot be read: ${problem}` }));
    }
    if (url.pathname === '/healthz') return send(200, 'application/json', '{"status":"ok"}');
    if (DOCUMENT.test(url.pathname)) {
      const text = await readFile(project(url.pathname.slice(1)), 'utf8').catch(() => null);
      if (text === null) return send(404, 'text/plain', 'not found');
      return send(200, 'text/html; charset=utf-8', documentPage(text));
    }
    if (PICTURE.test(url.pathname)) {
      const picture = await readFile(project(url.pathname.slice(1))).catch(() => null);
      return picture ? send(200, 'image/png', picture) : send(404, 'text/plain', 'not found');
    }
    if (url.pathname === '/v1/traces' && request.method === 'POST') {
      traces.add((await json(request)) as Export);
      return send(200, 'application/json', '{}');
    }
    if (url.pathname === '/traces') return send(200, 'application/json', JSON.stringify(traces.list()));
    if (url.pathname.startsWith('/api/v1/')) {
      if (!prometheusUrl) return send(404, 'application/json', '{"error":"no_prometheus"}');
      const heard = await fetch(new URL(url.pathname + url.search, prometheusUrl));
      return send(heard.status, 'application/json', await heard.text());
    }
    return send(404, 'text/plain', 'not found');
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(502).end());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    async close() {
      server.close().closeAllConnections();
    },
  };
}

/** Why a dashboard file cannot be rendered. */
function problemOf(text: string): string | null {
  try {
    return Array.isArray(JSON.parse(text).panels) ? null : 'it has no panels';
  } catch (error) {
    return (error as Error).message;
  }
}
