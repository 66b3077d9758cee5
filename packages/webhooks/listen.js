#!/usr/bin/env node
/** `webhooks-listen`: receives, verifies and prints events during development. */
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { verifyWebhook, WebhookVerificationError } from './index.js';

const HELP = `Usage: webhooks-listen [--port 4242] [--forward <url>] [--json]

Receives webhooks on every path, verifies them and prints them.

  WEBHOOK_SECRET   (environment) the endpoint's secret, whsec_…; several separated by spaces
  --port           port on the loopback address (default 4242; 0: a free port)
  --forward        forward each verified webhook unchanged, and return the answer
  --json           one JSON line per request: { receivedAt, verified, reason, attempt, again, event }
  --help           this text

Answers 200 to a verified webhook and 400 to any other.`;

const MAX_BODY_BYTES = 1_048_576;
const FORWARDED_HEADERS = /^(content-type|user-agent|service-.*|webhook-.*)$/;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4242' },
    forward: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const secrets = (process.env.WEBHOOK_SECRET ?? '').split(/\s+/).filter(Boolean);
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
if (secrets.length === 0) {
  console.error('WEBHOOK_SECRET is not set. It is shown when an endpoint is created.\n');
  console.error(HELP);
  process.exit(1);
}

const seen = new Set();

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end();
    return;
  }
  const rawBody = await readBody(request);
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

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function judge(request, rawBody) {
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
    const reason = error instanceof WebhookVerificationError ? error.message : 'The body is not JSON.';
    return { receivedAt, verified: false, reason, attempt, again: false, event: null };
  }
}

function print(received) {
  if (values.json) {
    console.log(JSON.stringify(received));
    return;
  }
  const { receivedAt, verified, reason, attempt, again, event } = received;
  if (!verified) {
    console.log(`${receivedAt}  NOT VERIFIED  ${reason}`);
    return;
  }
  const notes = [attempt && `attempt ${attempt}`, again && 'seen before'].filter(Boolean).join(', ');
  console.log(`${receivedAt}  ${event.type}  ${event.id}  ${notes}`);
  console.log(JSON.stringify(event, null, 2));
}

async function pass(request, rawBody) {
  if (!values.forward) return { status: 200, body: '{}' };
  const headers = Object.entries(request.headers).filter(([name]) => FORWARDED_HEADERS.test(name));
  try {
    const answer = await fetch(values.forward, {
      method: 'POST',
      headers,
      body: rawBody,
      redirect: 'manual',
    });
    return { status: answer.status, body: await answer.text() };
  } catch (error) {
    console.error(`Could not forward to ${values.forward}: ${error.cause?.message ?? error.message}`);
    return { status: 502, body: '{}' };
  }
}

server.listen(Number(values.port), '127.0.0.1', () => {
  console.error(`Listening on http://127.0.0.1:${server.address().port}, ready to verify webhooks.`);
});
