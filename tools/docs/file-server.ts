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

/**
 * @param base begins and ends with a slash
 * @returns the site's address
 */
export async function serveFiles(folder: string, base: string, port: number): Promise<string> {
  const server = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const path = pathname.slice(base.length) + (pathname.endsWith('/') ? 'index.html' : '');
    // `/` keeps `..%2F` inside the folder; a name that cannot be decoded is not found.
    const read = async () => readFile(join(folder, join('/', decodeURIComponent(path))));
    const found = pathname.startsWith(base) && (await read().catch(() => null));
    response.writeHead(found ? 200 : 404, {
      'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    });
    response.end(found || undefined);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`;
}
