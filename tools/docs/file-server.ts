/** Serves a folder of files below a path, like any host of static sites. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

export interface FileServer {
  /** Ends with a slash. */
  readonly url: string;
  stop(): void;
}

/** @param base begins and ends with a slash */
export async function serveFiles(folder: string, base: string, port = 0): Promise<FileServer> {
  const server = createServer(async ({ url = '' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    const file = join(folder, path.slice(base.length), path.endsWith('/') ? 'index.html' : '');
    const found = path.startsWith(base) && (await readFile(file).catch(() => null));
    response.writeHead(found ? 200 : 404, {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    });
    response.end(found || undefined);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: given } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${given}${base}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
