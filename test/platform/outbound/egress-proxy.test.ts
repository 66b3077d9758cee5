/** With a forward proxy, every request goes through it, and this process resolves no name. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createWebhookAgent } from '../../../platform/outbound/agent.ts';
import { post } from '../../../platform/outbound/post.ts';

const pem = (file: string) => readFileSync(new URL(`./tls/${file}`, import.meta.url), 'utf8');
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Connects every tunnel to this port, whatever the target; or refuses, as a guarding proxy does. */
async function proxy(target: number | 'refuses') {
  const asked: string[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.on('error', () => {});
    if (target === 'refuses') {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const onward = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, asked };
}

function send(egressProxy: string, url: string) {
  const agent = createWebhookAgent({
    allowLoopback: false,
    timeoutMs: 20_000,
    ca: pem('ca.crt'),
    egressProxy,
    resolve: () => Promise.reject(new Error('names must not be looked up here')),
  });
  const attempt = { url, body: '{"a":1}', headers: { 'content-type': 'application/json' } };
  return post(attempt, { agent, timeoutMs: 20_000 }, new AbortController().signal);
}

test('a webhook goes through the proxy, with TLS from us to the endpoint', async () => {
  const bodies: string[] = [];
  const shop = createHttpsServer(
    { cert: pem('localhost.crt'), key: pem('localhost.key') },
    (request, response) => {
      request.on('data', (chunk) => bodies.push(String(chunk)));
      request.on('end', () => response.writeHead(200).end('thanks'));
    },
  );
  const { url, asked } = await proxy(await listen(shop));
  expect(await send(url, 'https://localhost:9443/hooks')).toMatchObject({
    delivered: true,
    response: 'thanks',
  });
  expect(asked).toEqual(['localhost:9443']);
  expect(bodies).toEqual(['{"a":1}']);
});

test('a rejection by the proxy is a failed attempt with a readable error', async () => {
  const { url } = await proxy('refuses');
  const result = await send(url, 'https://internal.example/');
  expect(result).toMatchObject({ delivered: false, httpStatus: null });
  expect(result.error).toMatch(/proxy/);
});

test('an unreachable proxy fails the attempt with an error message', async () => {
  const port = await listen(createServer());
  servers.pop()?.close();
  const result = await send(`http://127.0.0.1:${port}`, 'https://shop.example/');
  expect(result).toMatchObject({ delivered: false, httpStatus: null });
  expect(result.error).toMatch(/\S/);
});
