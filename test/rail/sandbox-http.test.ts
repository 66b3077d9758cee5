/** The sandbox adapter and servers unlike its rail: proxies, stalled connections, malformed responses. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { RailOutcome } from '../../rail/outcomes.ts';
import { createSandboxRail, SANDBOX_CAPABILITIES } from '../../rail/sandbox/index.ts';
import { accountOf } from './contract/driver.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const credential = { account: 'acct_x', secret: 'a secret', webhookSecret: 'another' };
const account = accountOf('sandbox', 'acct_x', SANDBOX_CAPABILITIES, credential);

async function startServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function lookUp(answer: RequestListener, timeoutMs = 5_000): Promise<RailOutcome> {
  const rail = createSandboxRail({ baseUrl: await startServer(answer) });
  return rail.lookup({
    account,
    reference: 'ap_pay_1',
    railReference: null,
    railCustomer: null,
    begunAt: new Date().toISOString(),
    amountCents: 1_900,
    currency: 'EUR',
    signal: AbortSignal.timeout(timeoutMs),
  });
}

/** A charge in the rail's format. */
function chargeAnswer(reference: string) {
  return {
    id: `ch_${reference}`,
    reference,
    status: 'approved',
    amount: 1_900,
    currency: 'EUR',
    quantity: null,
    declineCode: null,
    method: null,
    cardFingerprint: null,
    mandate: null,
    challengeUrl: null,
    updatedAt: '2030-01-01T00:00:00.000Z',
  };
}

test('a response that stalls half-way is a time-out', async () => {
  const outcome = await lookUp((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.write('{"id":');
  }, 300);
  expect(outcome).toEqual({ kind: 'unknown', reason: 'timeout' });
});

test('a proxy’s 404 is malformed, not "no such charge"', async () => {
  const outcome = await lookUp((_request, response) => {
    response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>');
  });
  expect(outcome).toEqual({ kind: 'unknown', reason: 'malformed_answer' });
});

test('a redirect is not followed, so the credential stays with the rail', async () => {
  const seen: (string | undefined)[] = [];
  const elsewhere = await startServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end('{}');
  });
  const outcome = await lookUp((_request, response) => {
    response.writeHead(307, { Location: elsewhere }).end();
  });
  expect(outcome.kind).toBe('unknown');
  expect(seen).toEqual([]);
});

test.each([
  ['an unknown status', { status: 'half-approved' }],
  ['a challenge without a URL', { status: 'requires_action', challengeUrl: null }],
  ['a challenge URL that is not http', { status: 'requires_action', challengeUrl: 'javascript:alert(1)' }],
])('%s gives an unknown outcome: malformed answer', async (_what, wrong) => {
  const charge = chargeAnswer('ap_pay_1');
  const answered = (body: object) =>
    lookUp((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
  expect(await answered(charge)).toMatchObject({ kind: 'approved' });
  expect(await answered({ ...charge, ...wrong })).toEqual({ kind: 'unknown', reason: 'malformed_answer' });
});

test('all pages of a list are read', async () => {
  const baseUrl = await startServer((request, response) => {
    const after = new URL(request.url ?? '', 'http://rail').searchParams.get('after');
    const page = after
      ? { data: [chargeAnswer('three')], next: null }
      : { data: [chargeAnswer('one'), chargeAnswer('two')], next: 'x~y' };
    response.end(JSON.stringify(page));
  });
  const since = '2030-01-01T00:00:00.000Z';
  const charges = await createSandboxRail({ baseUrl }).listSince(account, since, AbortSignal.timeout(5_000));
  expect(charges.map(({ reference }) => reference)).toEqual(['one', 'two', 'three']);
});
