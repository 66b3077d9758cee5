import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { answers, download } from '../../sandbox/stack/core/download.ts';

let dir: string;
let file: string;
let server: Server | undefined;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'download-'));
  file = join(dir, 'file');
});
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  await rm(dir, { recursive: true });
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/archive`;
}

describe('a download', () => {
  test('writes the file', async () => {
    const url = await serve((_request, response) => response.end('content'));
    await download(url, file);
    expect(await readFile(file, 'utf8')).toBe('content');
    expect(await answers(url)).toBeUndefined();
  });

  test('gives up if the server does not answer in time', async () => {
    const url = await serve(() => {});
    await expect(download(url, file, 100)).rejects.toThrow('no answer for 0.1 s');
    expect(await answers(url, 100)).toContain('timeout');
  });

  test('gives up if the server stops sending', async () => {
    const url = await serve((_request, response) => response.write('half'));
    await expect(download(url, file, 100)).rejects.toThrow('no answer for 0.1 s');
  });

  test('may take longer than the time limit while data keeps arriving', async () => {
    const url = await serve((_request, response) => {
      let sent = 0;
      const timer = setInterval(() => {
        response.write('.');
        if (++sent < 8) return;
        clearInterval(timer);
        response.end();
      }, 50);
    });
    await download(url, file, 200);
    expect(await readFile(file, 'utf8')).toBe('........');
  });

  test('reports the status of an error response', async () => {
    const url = await serve((_request, response) => response.writeHead(403).end());
    await expect(download(url, file)).rejects.toThrow('answered 403');
    expect(await answers(url)).toContain('answered 403');
  });

  test('reports why a connection failed', async () => {
    const url = await serve(() => {});
    server?.close();
    await expect(download(url, file)).rejects.toThrow('ECONNREFUSED');
    expect(await answers(url)).toContain('ECONNREFUSED');
  });
});
