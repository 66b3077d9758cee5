#!/usr/bin/env node
/** `webhooks-listen`: receives, verifies and prints events during development. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { printPlainly } from '../../../contract/core/plain-output.ts';
import { forwardUrl, WRONG_FORWARD_URL } from '../../../contract/webhook/forward-url.ts';
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from './index.ts';

const HELP = `Usage: webhooks-listen [--port 4242] [--forward <url>] [--json]

Receives webhooks on every path, verifies them and prints them.

  WEBHOOK_SECRET   (environment) the endpoint's secret, whsec_…; several separated by spaces
  --port           port on the loopback address (default 4242; 0: a free port)
  --forward        forward each verified webhook unchanged, and return the response
  --json           one JSON line per request: { receivedAt, verified, reason, attempt, again, event }
  --help           this text

Answers 200 to a verified webhook and 400 to any other.`;

const MAX_BODY_BYTES = 1_048_576;
const FORWARDED_HEADERS = /^(content-type|user-agent|service-.*|webhook-.*)$/;

printPlainly();
const values = readOptions();
const secrets = (process.env.WEBHOOK_SECRET ?? '').split(/\s+/).filter(Boolean);
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
if (secrets.length === 0 || !secrets.every((secret) => /^whsec_./.test(secret))) {
  const problem = secrets.length === 0 ? 'is not set' : 'is not the whole secret, whsec_…';
  fail(`WEBHOOK_SECRET ${problem}. The secret is shown when an endpoint is created.\n\n${HELP}`);
}

const forward = values.forward === undefined ? undefined : forwardUrl(values.forward);
if (forward === null) fail(WRONG_FORWARD_URL);
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) fail('--port must be a number up to 65535.');

interface Received {
  readonly receivedAt: string;
  readonly verified: boolean;
  readonly reason: string | null;
  readonly attempt: number | null;
  readonly again: boolean;
  readonly event: WebhookEvent | null;
}

const seen = new Set<string>();

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end();
    return;
  }
  const rawBody = await readBody(request).catch(() => null);
  // The sender closed the connection before the body was complete, so no response can be sent.
  if (rawBody === null) return;
  if (rawBody === undefined) {
    response.writeHead(413).end();
    return;
  }
  const received = judge(request, rawBody);
  print(received);
  const { status, body } = received.verified
    ? await pass(request, rawBody)
    : { status: 400, body: JSON.stringify({ code: 'invalid_signature' }) };
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
});

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function judge(request: IncomingMessage, rawBody: Buffer): Received {
  const receivedAt = new Date().toISOString();
  const attempt = Number(request.headers['service-delivery-attempt'] ?? 0) || null;
  try {
    const event = verifyWebhook({
      rawBody,
      signature: request.headers['service-signature'],
      secret: secrets,
    });
    const again = seen.has(event.id);
    seen.add(event.id);
    return { receivedAt, verified: true, reason: null, attempt, again, event };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    const reason = error.message;
    return { receivedAt, verified: false, reason, attempt, again: false, event: null };
  }
}

function print(received: Received): void {
  if (values.json) {
    console.log(JSON.stringify(received));
    return;
  }
  const { receivedAt, verified, reason, attempt, again, event } = received;
  if (!verified || !event) {
    console.log(`${receivedAt}  NOT VERIFIED  ${reason}`);
    return;
  }
  const notes = [attempt && `attempt ${attempt}`, again && 'seen before'].filter(Boolean).join(', ');
  console.log(`${receivedAt}  ${event.type}  ${event.id}  ${notes}`);
  console.log(JSON.stringify(event, null, 2));
}

async function pass(request: IncomingMessage, rawBody: Buffer) {
  if (!forward) return { status: 200, body: '{}' };
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    FORWARDED_HEADERS.test(name) ? [[name, String(value)] as [string, string]] : [],
  );
  try {
    const answer = await fetch(forward, {
      method: 'POST',
      headers,
      body: new Uint8Array(rawBody),
      redirect: 'manual',
    });
    return { status: answer.status, body: await answer.text() };
  } catch (error) {
    const { cause, message } = error as { cause?: { message?: string }; message: string };
    console.error(`Could not forward to ${forward}: ${cause?.message ?? message}`);
    return { status: 502, body: '{}' };
  }
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '4242' },
        forward: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${HELP}`);
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

server.on('error', (error: NodeJS.ErrnoException) =>
  fail(error.code === 'EADDRINUSE' ? `Port ${port} is in use: choose another with --port.` : error.message),
);
server.listen(port, '127.0.0.1', () => {
  console.error(
    `Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}, ready to verify webhooks.`,
  );
});
