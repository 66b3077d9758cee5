/** The address guard with real sockets and a real name server. */
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createWebhookAgent } from '../../../platform/outbound/agent.ts';
import { post } from '../../../platform/outbound/post.ts';
import { createResolve } from '../../../platform/outbound/resolve.ts';
import { type NameAnswer, type NameServer, startNameServer } from '../../support/server/name-server.ts';

const REFUSED = 'the address is not on the public internet';

/** Answers 200 on every address of this machine and records which one was reached. */
let server: Server;
let port: number;
const reached: string[] = [];
let nameServer: NameServer | undefined;

beforeAll(async () => {
  server = createServer((socket) => {
    reached.push(socket.localAddress ?? '?');
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
afterEach(async () => {
  reached.length = 0;
  await nameServer?.stop();
  nameServer = undefined;
});

interface Setting {
  readonly allowLoopback?: boolean;
  readonly names?: NameAnswer;
  readonly timeoutMs?: number;
}

async function sender({ allowLoopback = false, names, timeoutMs = 20_000 }: Setting = {}) {
  nameServer = names && (await startNameServer(names));
  const resolve = createResolve(nameServer ? { nameServers: [nameServer.address] } : {});
  const agent = createWebhookAgent({ allowLoopback, resolve, timeoutMs });
  return (url: string) =>
    post({ url, body: '{}', headers: {} }, { agent, timeoutMs }, new AbortController().signal);
}

describe('a host that is an IP address in disguise', () => {
  const HOSTS = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '0',
    '0.0.0.0',
    '0x0',
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'shop.localhost',
  ];
  test.each(HOSTS)('%s is refused before any connection', async (host) => {
    const send = await sender();
    for (const scheme of ['http', 'https']) {
      const result = await send(`${scheme}://${host}:${port}/hooks`);
      expect(result).toMatchObject({ delivered: false, httpStatus: null, error: REFUSED });
    }
    expect(reached).toEqual([]);
  });

  test('is allowed in development if it is loopback', async () => {
    const send = await sender({ allowLoopback: true });
    for (const host of ['127.0.0.1', '2130706433', '[::1]', 'localhost', 'shop.localhost']) {
      expect(await send(`http://${host}:${port}/`)).toMatchObject({ delivered: true, httpStatus: 200 });
    }
    for (const scheme of ['http', 'https']) {
      expect(await send(`${scheme}://10.0.0.1:${port}/`)).toMatchObject({ error: REFUSED });
    }
  });
});

describe('plain HTTP', () => {
  test('never leaves this machine, whatever the address', async () => {
    const names: NameAnswer = (_name, kind) => (kind === 'A' ? ['8.8.8.8'] : []);
    for (const allowLoopback of [false, true]) {
      const send = await sender({ allowLoopback, names });
      expect(await send('http://shop.example/')).toMatchObject({ error: REFUSED });
      expect(await send('http://8.8.8.8/')).toMatchObject({ error: REFUSED });
      await nameServer?.stop();
    }
    nameServer = undefined;
  });
});

describe('a name', () => {
  test.each([
    ['loopback', ['127.0.0.1'], []],
    ['private', ['10.1.2.3'], []],
    ['metadata', ['169.254.169.254'], []],
    ['IPv6 loopback', [], ['::1']],
    ['unique-local', [], ['fd00::1']],
    ['mapped', [], ['::ffff:127.0.0.1']],
    ['one forbidden address among public ones', ['8.8.8.8', '10.0.0.1', '1.1.1.1'], []],
    ['a public IPv4 and a forbidden IPv6 address', ['8.8.8.8'], ['::1']],
  ])('that resolves to %s is refused before any connection', async (_what, v4, v6) => {
    const send = await sender({ names: (_name, kind) => (kind === 'A' ? v4 : v6) });
    // Plain HTTP is refused except on this machine, HTTPS only for forbidden addresses, so both are tried.
    for (const scheme of ['http', 'https']) {
      const result = await send(`${scheme}://shop.example:${port}/`);
      expect(result).toMatchObject({ delivered: false, error: REFUSED });
    }
    expect(reached).toEqual([]);
  });

  test('that resolves differently after the check is connected to the checked address', async () => {
    // Allows loopback as in development, because this machine must be able to connect to the first answer.
    const names: NameAnswer = (_name, kind, nth) =>
      kind === 'AAAA' ? [] : nth === 1 ? ['127.0.0.2'] : ['127.0.0.3'];
    const send = await sender({ allowLoopback: true, names });
    expect(await send(`http://rebind.example:${port}/`)).toMatchObject({ delivered: true });
    expect(reached).toEqual(['::ffff:127.0.0.2']);
    expect(nameServer?.questions.filter((question) => question.endsWith(' A'))).toHaveLength(1);
  });

  test('that later resolves to a forbidden address is refused at the next connection', async () => {
    const names: NameAnswer = (_name, kind, nth) =>
      kind === 'AAAA' ? [] : nth === 1 ? ['127.0.0.2'] : ['10.0.0.1'];
    const send = await sender({ allowLoopback: true, names });
    expect(await send(`http://rebind.example:${port}/`)).toMatchObject({ delivered: true });
    expect(await send(`http://rebind.example:${port}/`)).toMatchObject({ delivered: false, error: REFUSED });
    expect(reached).toEqual(['::ffff:127.0.0.2']);
  });

  test('that does not exist fails with a readable error', async () => {
    const send = await sender({ names: () => [] });
    expect(await send('https://nowhere.example/')).toMatchObject({ error: 'the host name has no address' });
  });

  test('whose name server does not answer fails within its time limit', async () => {
    const send = await sender({ names: () => 'silence', timeoutMs: 2_000 });
    const result = await send('https://shop.example/');
    expect(result).toMatchObject({ delivered: false, error: 'no response within 2 s' });
    expect(result.durationMs).toBeLessThan(10_000);
  });

  test('whose name server is unreachable fails with a readable error', async () => {
    const send = await sender({ names: () => [] });
    await nameServer?.stop();
    nameServer = undefined;
    expect(await send('https://shop.example/')).toMatchObject({ error: 'the name server did not answer' });
  });
});
