/** Misbehaving receivers on real sockets: each attempt ends with the right error, within its time limit. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createWebhookAgent } from '../../../platform/outbound/agent.ts';
import { type PostResult, post } from '../../../platform/outbound/post.ts';
import { createResolve } from '../../../platform/outbound/resolve.ts';

const TIMEOUT_MS = 1_000;
/** Tolerance for a slow machine. */
const SLACK_MS = 10_000;
const pem = (file: string) => readFileSync(new URL(`./tls/${file}`, import.meta.url), 'utf8');

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A server that runs `behave` on a connection once the request has arrived. */
async function receiver(behave: (socket: Socket) => void): Promise<string> {
  const port = await listen(createServer((socket) => socket.once('data', () => behave(socket))));
  return `http://127.0.0.1:${port}/hooks`;
}

const answers = (text: string) => receiver((socket) => socket.write(text));

const agent = createWebhookAgent({
  allowLoopback: true,
  resolve: createResolve(),
  timeoutMs: TIMEOUT_MS,
  ca: pem('ca.crt'),
});

async function send(url: string, stop = new AbortController().signal): Promise<PostResult> {
  const headers = { 'content-type': 'application/json' };
  const result = await post({ url, body: '{"a":1}', headers }, { agent, timeoutMs: TIMEOUT_MS }, stop);
  expect(result.durationMs).toBeLessThan(TIMEOUT_MS + SLACK_MS);
  return result;
}

/** Writes a piece repeatedly until the socket is gone. */
function drip(socket: Socket, piece: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.on('close', () => clearInterval(timer));
}

describe('a response', () => {
  test.each([200, 201, 202, 204, 299])('of %d counts as a delivery', async (status) => {
    const length = status === 204 ? '' : 'content-length: 2\r\n';
    const url = await answers(`HTTP/1.1 ${status} Fine\r\n${length}\r\n${status === 204 ? '' : 'ok'}`);
    const result = await send(url);
    expect(result).toMatchObject({ delivered: true, httpStatus: status, error: null });
    expect(result.response).toBe(status === 204 ? '' : 'ok');
  });

  test('of 200 that is slow but within the time-out counts as a delivery', async () => {
    const url = await receiver((socket) => {
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nsl'), 300);
      setTimeout(() => socket.write('ow'), 600);
    });
    expect(await send(url)).toMatchObject({ delivered: true, response: 'slow' });
  });

  test('in HTTP/1.0 that ends by closing the connection counts as a delivery', async () => {
    const url = await receiver((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nold'));
    expect(await send(url)).toMatchObject({ delivered: true, httpStatus: 200, response: 'old' });
  });

  test('that never ends counts as a delivery, and its first 2 KiB are kept', async () => {
    let written = 0;
    const url = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const chunk = Buffer.alloc(65_536, 'x');
      const pump = () => {
        while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
        socket.once('drain', pump);
      };
      pump();
    });
    const result = await send(url);
    expect(result).toMatchObject({ delivered: true, httpStatus: 200 });
    expect(result.response).toBe('x'.repeat(2_048));
    expect(result.durationMs).toBeLessThan(TIMEOUT_MS);
    expect(written).toBeLessThan(64 * 1_048_576);
  });

  test('that is truncated inside a character is still valid text', async () => {
    const body = `${'x'.repeat(2_047)}é`;
    const url = await answers(`HTTP/1.1 500 No\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    expect((await send(url)).response).toBe('x'.repeat(2_047));
  });

  test('with binary bytes can be stored', async () => {
    const url = await answers('HTTP/1.1 500 No\r\ncontent-length: 5\r\n\r\na\0b\0c');
    expect((await send(url)).response).toBe('a\uFFFDb\uFFFDc');
  });

  test.each([301, 302, 303, 307, 308])(
    'of %d counts as a failure, and its location is not requested',
    async (status) => {
      let asked = 0;
      const secret = await listen(createServer(() => (asked += 1)));
      const url = await answers(
        `HTTP/1.1 ${status} Moved\r\nlocation: http://127.0.0.1:${secret}/\r\ncontent-length: 0\r\n\r\n`,
      );
      const result = await send(url);
      expect(result).toMatchObject({ delivered: false, httpStatus: status });
      expect(result.error).toContain('redirects are not followed');
      expect(asked).toBe(0);
    },
  );

  test.each([400, 401, 404, 410, 418, 500, 502, 503])('of %d counts as a failure', async (status) => {
    const url = await answers(`HTTP/1.1 ${status} No\r\ncontent-length: 3\r\n\r\nwhy`);
    expect(await send(url)).toEqual({
      delivered: false,
      httpStatus: status,
      error: `the endpoint answered ${status}`,
      retryAfterSeconds: null,
      response: 'why',
      durationMs: expect.any(Number),
    });
  });

  test('of 429 sets the wait, given in seconds or as a date', async () => {
    const asking = (value: string) =>
      answers(`HTTP/1.1 429 Slow\r\nretry-after: ${value}\r\ncontent-length: 0\r\n\r\n`);
    expect(await send(await asking('120'))).toMatchObject({ httpStatus: 429, retryAfterSeconds: 120 });
    const inAnHour = await send(await asking(new Date(Date.now() + 3_600_000).toUTCString()));
    expect(inAnHour.retryAfterSeconds).toBeGreaterThan(3_590);
    expect(inAnHour.retryAfterSeconds).toBeLessThanOrEqual(3_600);
    expect((await send(await asking('Fri, 01 Jan 2010 00:00:00 GMT'))).retryAfterSeconds).toBe(0);
    for (const nonsense of ['soon', '-5', '1e9', '2030-01-01', '99999999999999'])
      expect((await send(await asking(nonsense))).retryAfterSeconds).toBe(null);
  });
});

describe('a receiver', () => {
  const NO_ANSWER = { delivered: false, httpStatus: null, error: 'no response within 1 s' };

  test('that never answers is cut off at the time-out', async () => {
    expect(await send(await receiver(() => {}))).toMatchObject(NO_ANSWER);
  });

  test('that sends its headers too slowly is cut off at the time-out', async () => {
    const url = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, 'x-a: b\r\n', 50);
    });
    expect(await send(url)).toMatchObject(NO_ANSWER);
  });

  test.each([
    ['200', { delivered: true, httpStatus: 200, error: null }],
    ['503', { delivered: false, httpStatus: 503, error: 'the endpoint answered 503', retryAfterSeconds: 7 }],
  ])(
    'that drips the body of its %s is cut off at the time-out, and its status counts',
    async (status, result) => {
      const url = await receiver((socket) => {
        socket.write(`HTTP/1.1 ${status} Half\r\nretry-after: 7\r\ncontent-length: 1000\r\n\r\n`);
        drip(socket, '.', 50);
      });
      expect(await send(url)).toMatchObject({ ...result, response: expect.stringMatching(/^\.+$/) });
    },
  );

  test.each([
    ['ends before its announced length', 'content-length: 100\r\n\r\nshort', 'short'],
    ['has broken chunks', 'transfer-encoding: chunked\r\n\r\nzz\r\n', ''],
  ])('whose 200 %s counts as delivered, by its status', async (_how, rest, response) => {
    const url = await receiver((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    expect(await send(url)).toMatchObject({ delivered: true, httpStatus: 200, error: null, response });
  });

  test('that sends interim responses without end is cut off at the time-out', async () => {
    const url = await receiver((socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n', 50));
    expect(await send(url)).toMatchObject(NO_ANSWER);
  });

  test.each([
    [
      'resets the connection',
      (socket: Socket) => socket.resetAndDestroy(),
      'connection reset by the endpoint',
      null,
    ],
    ['closes the connection', (socket: Socket) => socket.end(), 'connection closed by the endpoint', null],
    [
      'speaks another protocol',
      (socket: Socket) => socket.end('220 mail.example ESMTP\r\n'),
      'the response is not HTTP',
      null,
    ],
    [
      'sends bytes that are not HTTP',
      (socket: Socket) => socket.end(Buffer.alloc(4_096, 0x9d)),
      'the response is not HTTP',
      null,
    ],
    [
      'sends oversized headers',
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`),
      'the headers of the response are too large',
      null,
    ],
  ])('that %s is a failure with a readable error', async (_how, behave, error, httpStatus) => {
    const result = await send(await receiver(behave));
    expect(result).toMatchObject({ delivered: false, error, httpStatus });
  });

  test('that switches protocols is a failure', async () => {
    const url = await answers('HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n');
    expect((await send(url)).delivered).toBe(false);
  });

  test('that is unreachable is a failure with a readable error', async () => {
    const port = await listen(createServer());
    await new Promise((resolve) => servers.pop()?.close(resolve));
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({
      error: 'connection refused',
      httpStatus: null,
    });
  });

  test('that accepts the connection but does not answer TLS is cut off at the time-out', async () => {
    const port = await listen(createServer(() => {}));
    expect(await send(`https://localhost:${port}/`)).toMatchObject(NO_ANSWER);
  });
});

describe('TLS', () => {
  const secure = async (certificate: string, host = 'localhost') => {
    const server = createTlsServer(
      { cert: pem(`${certificate}.crt`), key: pem(`${certificate}.key`) },
      (socket) => {
        socket.on('error', () => {});
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
      },
    );
    server.on('tlsClientError', () => {});
    return `https://${host}:${await listen(server)}/hooks`;
  };

  test('with a valid certificate lets the event be delivered', async () => {
    expect(await send(await secure('localhost'))).toMatchObject({ delivered: true, httpStatus: 200 });
  });

  test.each([
    ['a certificate for another name', 'other-name', 'localhost', 'the TLS certificate is for another name'],
    [
      'a certificate for a name, but an IP address in the URL',
      'localhost',
      '127.0.0.1',
      'the TLS certificate is for another name',
    ],
    ['an expired certificate', 'expired', 'localhost', 'the TLS certificate has expired'],
  ])('with %s is rejected', async (_what, certificate, host, error) => {
    expect(await send(await secure(certificate, host))).toMatchObject({
      delivered: false,
      httpStatus: null,
      error,
    });
  });

  test('with a certificate of an unknown authority is rejected', async () => {
    const strict = createWebhookAgent({
      allowLoopback: true,
      resolve: createResolve(),
      timeoutMs: TIMEOUT_MS,
    });
    const url = await secure('localhost');
    const never = new AbortController().signal;
    const attempt = { url, body: '{}', headers: {} };
    const result = await post(attempt, { agent: strict, timeoutMs: TIMEOUT_MS }, never);
    expect(result).toMatchObject({ delivered: false, error: 'the TLS certificate cannot be verified' });
  });

  test('with a server that speaks plain HTTP fails with a readable error', async () => {
    const port = await listen(
      createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 No\r\n\r\n'))),
    );
    expect(await send(`https://localhost:${port}/`)).toMatchObject({ error: 'the TLS handshake failed' });
  });
});

test('an aborted attempt throws, because it is unknown whether the receiver has the event', async () => {
  const stop = new AbortController();
  const url = await receiver(() => stop.abort(new Error('the worker ends')));
  await expect(send(url, stop.signal)).rejects.toThrow('the worker ends');
});
