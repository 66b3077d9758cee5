/** `hosted-checkout listen`: prints events as they happen, and forwards them to a local address. */
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { forwardUrl, WRONG_FORWARD_URL } from '../../../../contract/webhook/forward-url.ts';
import {
  ConnectionError,
  everyRow,
  type HostedCheckout,
  isApiError,
  RequestTimeoutError,
  verifyWebhook,
  type WebhookEndpoint,
  type WebhookEvent,
  type WebhookLogAttempt,
  type WebhookLogEvent,
} from '../../src/index.ts';
import { clockAheadMs } from '../core/clock.ts';
import {
  type Command,
  eventTypeOf,
  type Given,
  print,
  textOf,
  UNWANTED_ANSWER,
  UsageError,
} from '../core/command.ts';
import { endpointsOf } from '../core/endpoints.ts';
import { clientOf } from '../core/settings.ts';

const POLL_MS = 1_000;
/** How far each poll looks back: events are listed by time of recording, and a long transaction's appear late. */
const OVERLAP_MS = 60_000;

export const listen: Command = {
  summary: 'print events as they happen, and forward them',
  help: `Usage: hosted-checkout listen [--forward <url>] [options]

Reads the log of events over the API, so that it works behind NAT. While the API is not available, it waits.

With an endpoint, it follows every delivery attempt to that endpoint, and forwards the bytes and headers
as they were sent there: verify them with the endpoint's secret. Without one, it follows the events and signs
what it forwards itself.

  --forward <url>    post to this address the requests that a webhook endpoint receives
  --endpoint <id>    whose deliveries to follow (default, without a secret: the only endpoint of the key's environment)
  --secret <secret>  with --endpoint, that endpoint's: only deliveries that it verifies are printed and forwarded; without,
                     the secret to sign with (whsec_…; default: a new one, which is printed). Others on this machine can
                     read arguments: prefer WEBHOOK_SECRET
  --type <type>      only events of this type
  --since <instant>  also events from this time on (ISO 8601; default: now). A receiver accepts a signature for five
                     minutes
  --once             stop after the first event, with exit code 3 if it was forwarded and not answered with 2xx

Stop it with Ctrl-C.`,
  ids: { endpoint: ['ap_whe_'] },
  options: {
    forward: { type: 'string' },
    endpoint: { type: 'string' },
    secret: { type: 'string' },
    type: { type: 'string' },
    since: { type: 'string' },
    once: { type: 'boolean' },
  },
  async run(given) {
    const address = textOf(given, 'forward');
    const forward = address === undefined ? undefined : forwardUrl(address);
    if (forward === null) throw new UsageError(WRONG_FORWARD_URL);
    const asked = textOf(given, 'since');
    const since = asked === undefined ? undefined : Date.parse(asked);
    if (Number.isNaN(since))
      throw new UsageError('--since must be a timestamp such as 2026-01-31T09:30:00Z.');
    const secrets = secretsOf(given);
    const checkout = await clientOf(given);
    const { merchant_id: merchantId } = await checkout.billing.showDashboard();
    const startMs = Date.now() - (await clockAheadMs(checkout.baseUrl));
    const log: Log = { checkout, merchantId, since: since ?? startMs, type: eventTypeOf(given) };
    const endpoint = await endpointOf(given, log, secrets);
    const deliveries = endpoint ? attemptsTo(endpoint, log) : signedAnew(log, secrets, forward);
    console.error(`Listening for events of ${merchantId}.`);
    for await (const delivery of deliveries) {
      const doubt = endpoint && secrets.length > 0 ? await doubtOf(delivery, secrets) : null;
      if (doubt) {
        console.error(`${delivery.id}  NOT VERIFIED, skipped: ${doubt}`);
        continue;
      }
      const answer = forward ? await post(forward, delivery) : null;
      show(given, delivery, answer);
      if (!given.values.once) continue;
      if (answer && !/^2\d\d$/.test(answer)) process.exitCode = UNWANTED_ANSWER;
      return;
    }
  },
};

interface Log {
  readonly checkout: HostedCheckout;
  readonly merchantId: string;
  /** Unix milliseconds. */
  readonly since: number;
  readonly type: WebhookEvent['type'] | undefined;
}

/** A webhook as a receiver gets it. */
interface Delivery {
  readonly id: string;
  readonly type: string;
  /** When the event happened, or when it was delivered. */
  readonly at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns the given secrets, several during a rotation: any of them verifies, the first one signs. */
function secretsOf(given: Given): readonly string[] {
  const named = textOf(given, 'secret');
  const secrets = named === undefined ? (process.env.WEBHOOK_SECRET?.match(/\S+/g) ?? []) : [named];
  if (!secrets.every((secret) => secret.startsWith('whsec_'))) {
    throw new UsageError(`${named === undefined ? 'WEBHOOK_SECRET' : '--secret'} must begin with whsec_.`);
  }
  return secrets;
}

async function endpointOf(
  given: Given,
  { checkout, merchantId }: Log,
  secrets: readonly string[],
): Promise<WebhookEndpoint | null> {
  const id = textOf(given, 'endpoint');
  if (id === undefined && (secrets.length > 0 || textOf(given, 'forward') === undefined)) return null;
  const [endpoint, other] = await endpointsOf(checkout, merchantId, id);
  if (!endpoint || other) return null;
  const { url, status } = endpoint;
  console.error(`Following the deliveries to ${url} (${endpoint.id}): verify them with its secret.`);
  if (status !== 'enabled') console.error(`It is ${status}: nothing is delivered to it until it is enabled.`);
  return endpoint;
}

/** Yields each delivery attempt to the endpoint, with the headers as sent. */
async function* attemptsTo(endpoint: WebhookEndpoint, log: Log): AsyncGenerator<Delivery> {
  const { checkout, merchantId, type } = log;
  const read = (from: string) => (cursor: string | undefined) =>
    checkout.merchants.webhookAttempts.list(merchantId, {
      from,
      type,
      endpoint_id: endpoint.id,
      cursor,
      limit: 100,
    });
  const rows = follow(log.since, read, {
    keyOf: ({ event_id, attempt }: WebhookLogAttempt) => `${event_id} ${attempt}`,
    instantOf: ({ at }) => at,
  });
  for await (const { event_id: id, event_type, at, request_headers: headers } of rows) {
    const { body } = await outlasting(() => checkout.merchants.webhookEvents.show(merchantId, id));
    yield { id, type: event_type, at, headers, body };
  }
}

/** Yields each event, signed as a first delivery made now. */
async function* signedAnew(
  log: Log,
  [given]: readonly string[],
  forward: string | undefined,
): AsyncGenerator<Delivery> {
  const { checkout, merchantId, type } = log;
  const secret = given ?? `whsec_${randomBytes(32).toString('base64')}`;
  if (forward) console.error(`Forwarding to ${forward}, signed with ${given ? 'the given secret' : secret}`);
  const read = (from: string) => (cursor: string | undefined) =>
    checkout.merchants.webhookEvents.list(merchantId, { from, type, cursor, limit: 100 });
  const rows = follow(log.since, read, {
    keyOf: ({ id }: WebhookLogEvent) => id,
    instantOf: ({ recorded_at }) => recorded_at,
  });
  for await (const { id, type: eventType, occurred_at: at } of rows) {
    const { body } = await outlasting(() => checkout.merchants.webhookEvents.show(merchantId, id));
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'service-signature': `t=${timestamp},v1=${signature}`,
      'service-event-id': id,
      'service-delivery-attempt': '1',
    };
    yield { id, type: eventType, at, headers, body };
  }
}

interface Rows<Row> {
  keyOf(row: Row): string;
  instantOf(row: Row): string;
}

type Page<Row> = { readonly data: readonly Row[]; readonly next_cursor: string | null };

/** Yields each row once, from the oldest on, forever. */
async function* follow<Row>(
  since: number,
  readFrom: (from: string) => (cursor: string | undefined) => Promise<Page<Row>>,
  { keyOf, instantOf }: Rows<Row>,
): AsyncGenerator<Row> {
  const seen = new Set<string>();
  for (let from = since; ; await pause(POLL_MS)) {
    const rows: Row[] = [];
    const read = readFrom(new Date(from).toISOString());
    for await (const row of everyRow((cursor) => outlasting(() => read(cursor)))) rows.push(row);
    for (const row of rows.reverse()) {
      if (seen.has(keyOf(row))) continue;
      seen.add(keyOf(row));
      yield row;
    }
    const newest = rows.at(-1);
    if (newest) from = Math.max(since, Date.parse(instantOf(newest)) - OVERLAP_MS);
  }
}

/** Retries until the API is available: exiting during an outage would lose the events that follow. */
async function outlasting<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  for (let isKnown = false; ; ) {
    try {
      const answer = await request();
      if (isKnown) console.error('The API answers again.');
      return answer;
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (!isKnown) console.error(`${error.message} Waiting until the API answers.`);
      isKnown = true;
      await pause(Math.max(POLL_MS, 1_000 * (isApiError(error) ? (error.retryAfterSeconds ?? 0) : 0)));
    }
  }
}

function isOutage(error: unknown): error is Error {
  if (isApiError(error)) return error.status === 408 || error.status === 429 || error.status >= 500;
  return error instanceof ConnectionError || error instanceof RequestTimeoutError;
}

/**
 * Verifies a delivery at the time of its attempt: it may be listed long afterwards, with `--since` or after an outage.
 *
 * @returns why the delivery is not verified; null if it is
 */
async function doubtOf({ headers, body, at }: Delivery, secret: readonly string[]): Promise<string | null> {
  const problem = await verifyWebhook({
    rawBody: body,
    signature: headers['service-signature'],
    secret,
    nowSeconds: Date.parse(at) / 1_000,
  }).catch((error: Error) => error);
  return problem instanceof Error ? problem.message : null;
}

async function post(url: string, { headers, body }: Delivery): Promise<string> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string };
    return cause?.code ?? message;
  }
}

function show(given: Given, { id, type, at, body }: Delivery, answer: string | null): void {
  const about = `${at}  ${type}  ${id}`;
  print(given, { forwarded: answer, event: JSON.parse(body) }, answer ? `${about}  → ${answer}` : about);
}
