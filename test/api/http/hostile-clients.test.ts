/**
 * Clients that send the hosted page requests that no browser sends, over raw sockets. Each is rejected or
 * disconnected in time, stores no click, and delays no other client.
 */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from '../../../db/core/pool.ts';
import { openPageToken } from '../../../platform/secrets/page-token.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { insertSession, insertShop, testSecretBox } from '../../support/db/fixtures.ts';

const TIMEOUT_MS = 1_000;
/** Slack for a slow machine. */
const WITHIN_MS = 60_000;
const CLICK = JSON.stringify({
  claimId: '7f0e63b2-8a7e-4b0b-9a5c-5d1f6a3c2b10',
  methodType: 'card',
  methodToken: 'tok_hostile',
  email: 'buyer@example.eu',
});

let api: TestApi;
let page: string;

beforeAll(async () => {
  api = await startTestApi({ requestTimeoutMs: TIMEOUT_MS });
  const shop = await insertShop(api.pool);
  const session = await insertSession(api.pool, shop, shop.products.oneTime);
  page = `/pay/${openPageToken(testSecretBox, session)}`;
});
afterAll(() => api?.stop());

const JSON_TYPE = 'Content-Type: application/json\r\n';
const head = (headers = '', path = `${page}/pay`, method = 'POST') =>
  `${method} ${path} HTTP/1.1\r\nHost: pay.example\r\n${headers}`;
const withBody = (body: string | Buffer, headers = JSON_TYPE) =>
  Buffer.concat([
    Buffer.from(head(`${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`)),
    Buffer.from(body),
  ]);

/** @returns the response statuses until the server closes the connection */
async function statusesOf(sent: string | Buffer | readonly (string | Buffer)[]): Promise<number[]> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  const pieces: Buffer[] = [];
  const closed = new Promise<void>((resolve, reject) => {
    socket.on('data', (piece) => pieces.push(piece));
    // A reset also closes the connection.
    socket.on('close', () => resolve()).on('error', () => resolve());
    AbortSignal.timeout(WITHIN_MS).addEventListener('abort', () => reject(new Error('it is kept open')));
  });
  for (const piece of Array.isArray(sent) ? sent : [sent]) {
    if (!socket.destroyed) socket.write(piece);
    if (Array.isArray(sent)) await pause(50);
  }
  await closed;
  const text = Buffer.concat(pieces).toString('latin1');
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

const clicks = () => api.pool.oneFirst(sql.unsafe`select count(*)::integer from clicks`);

const HOSTILE: readonly (readonly [string, () => string | Buffer | readonly (string | Buffer)[], number])[] =
  [
    ['a head that does not end', () => head('X-Half: '), 408],
    [
      'a head that arrives byte by byte',
      () => Array.from({ length: 60 }, (_, n) => (n === 0 ? head() : 'X')),
      408,
    ],
    ['a body that stops', () => head(`${JSON_TYPE}Content-Length: 500\r\n\r\n${CLICK.slice(0, 40)}`), 408],
    [
      'a body that arrives byte by byte',
      () => [head(`${JSON_TYPE}Content-Length: ${CLICK.length}\r\n\r\n`), ...CLICK.slice(0, 60)],
      408,
    ],
    ['a header of 64 KiB', () => head(`X-Long: ${'x'.repeat(65_536)}\r\n\r\n`), 400],
    ['ten thousand headers', () => head(`${'X: y\r\n'.repeat(10_000)}\r\n`), 400],
    [
      'a request with two lengths',
      () => `${head(`${JSON_TYPE}Content-Length: 5\r\nContent-Length: 6\r\n\r\n`)}{"a":`,
      400,
    ],
    [
      'a request with both a length and chunks',
      () => `${head(`${JSON_TYPE}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n`)}0\r\n\r\n`,
      400,
    ],
    ['a negative length', () => head(`${JSON_TYPE}Content-Length: -1\r\n\r\n`), 400],
    [
      'chunks without sizes',
      () => `${head(`${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`)}zz\r\n${CLICK}\r\n`,
      400,
    ],
    [
      'an unknown transfer encoding',
      () => `${head(`${JSON_TYPE}Transfer-Encoding: cow\r\n\r\n`)}${CLICK}`,
      400,
    ],
    ['a line break in a header', () => head('X-Split: a\nSet-Cookie: b\r\n\r\n'), 400],
    ['a request without Host', () => `GET ${page}/state HTTP/1.1\r\n\r\n`, 400],
    ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['bytes of TLS', () => Buffer.from('16030100c8010000c40303', 'hex'), 400],
    [
      'a body in UTF-16',
      () => withBody(Buffer.from(CLICK, 'utf16le'), `Connection: close\r\n${JSON_TYPE}`),
      400,
    ],
    [
      'an unknown charset',
      () => withBody(CLICK, 'Connection: close\r\nContent-Type: application/json; charset=cow\r\n'),
      415,
    ],
    [
      'a form',
      () => withBody('claimId=1', 'Connection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n'),
      415,
    ],
    [
      'bytes that are not UTF-8',
      () =>
        withBody(
          Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
          `Connection: close\r\n${JSON_TYPE}`,
        ),
      400,
    ],
    ['a body of 1 MB', () => withBody('x'.repeat(1_000_000), `Connection: close\r\n${JSON_TYPE}`), 413],
    [
      '8 MB in 8 kB of gzip',
      () =>
        withBody(
          gzipSync(Buffer.alloc(8_000_000, 32)),
          `Connection: close\r\n${JSON_TYPE}Content-Encoding: gzip\r\n`,
        ),
      413,
    ],
    [
      'a body declared as gzip that is not compressed',
      () => withBody(CLICK, `Connection: close\r\n${JSON_TYPE}Content-Encoding: gzip\r\n`),
      400,
    ],
    ['nine thousand brackets', () => withBody('['.repeat(9_000), `Connection: close\r\n${JSON_TYPE}`), 400],
  ];

test.each(HOSTILE)('%s is rejected in time', async (_what, sent, status) => {
  const statuses = await statusesOf(sent());
  expect({ statuses, clicks: await clicks() }).toEqual({ statuses: [status], clicks: 0 });
});

test('pipelined requests on one connection are answered one by one, in order', async () => {
  const reads = Array.from({ length: 30 }, (_, n) =>
    head('\r\n', n % 2 ? '/v1/payments' : '/pay/nothing', 'GET'),
  );
  const last = head('Connection: close\r\n\r\n', '/v1/payments', 'GET');
  const statuses = await statusesOf(reads.join('') + last);
  expect(statuses).toEqual([...reads.map((_, n) => (n % 2 ? 401 : 404)), 401]);
});

test('two hundred idle connections do not delay other clients', async () => {
  const idle = Array.from({ length: 200 }, () => statusesOf(head('X-Half: ')));
  const { status } = await fetch(`${api.url}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS * 5) });
  expect(status).toBe(200);
  expect(new Set((await Promise.all(idle)).flat())).toEqual(new Set([408]));
});
