import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { freePort } from '../../sandbox/stack/core/ports.ts';
import { type Front, startFront } from '../../sandbox/stack/load-balancer.ts';

let servers: readonly Server[];
let front: Front;
let url: string;

beforeEach(async () => {
  servers = [named('a'), named('b')];
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = await freePort();
  front = await startFront(port, servers.map(portOf));
  url = `http://127.0.0.1:${port}`;
});
afterEach(() => {
  front.close();
  for (const server of servers) server.close();
});

function named(name: string): Server {
  return createServer((_request, response) => void response.setHeader('connection', 'close').end(name));
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function answers(count: number): Promise<string> {
  const names: string[] = [];
  for (let left = count; left > 0; left--) names.push(await (await fetch(url)).text());
  return names.sort().join('');
}

test('connections go to the processes round-robin', async () => {
  expect(await answers(4)).toBe('aabb');
});

test('a process that has stopped listening gets no connections', async () => {
  servers[0]?.close();
  expect(await answers(3)).toBe('bbb');
});

test('new connections go to the targets that were set last', async () => {
  front.use(servers.slice(0, 1).map(portOf));
  expect(await answers(3)).toBe('aaa');
});
