/** `hosted-checkout listen`: prints events as they happen, and forwards them to a local address. */
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { everyRow, type HostedCheckout, type WebhookEvent, type WebhookLogEvent } from '../../src/index.ts';
import { type Command, eventTypeOf, type Given, print, textOf, UsageError } from '../core/command.ts';
import { clientOf } from '../core/settings.ts';

const POLL_MS = 1_000;
/** Events are listed by the instant at which they were recorded; a longer transaction's event appears later. */
const OVERLAP_MS = 60_000;

export const listen: Command = {
  summary: 'print events as they happen, and forward them',
  help: `Usage: hosted-checkout listen [--forward <url>] [options]

Reads the log of events over the API, so that it works behind NAT and without a webhook endpoint.

  --forward <url>    post each event there, as a webhook would: the same body, freshly signed
  --secret <secret>  sign with this secret (whsec_…; default: a new one, which is printed); others on this machine
                     can read arguments: better in WEBHOOK_SECRET
  --type <type>      only events of this type
  --since <instant>  also events from this instant on (ISO 8601; default: now)
  --once             stop after the first event

Stop it with Ctrl-C.`,
  options: {
    forward: { type: 'string' },
    secret: { type: 'string' },
    type: { type: 'string' },
    since: { type: 'string' },
    once: { type: 'boolean' },
  },
  async run(given) {
    const forward = textOf(given, 'forward');
    if (forward && !URL.canParse(forward)) throw new UsageError('--forward must be a URL.');
    const since = Date.parse(textOf(given, 'since') ?? new Date().toISOString());
    if (Number.isNaN(since)) throw new UsageError('--since must be an instant: 2026-01-31T09:30:00Z.');
    const named = textOf(given, 'secret');
    // Several while the secret rotates: any of them verifies.
    const givenSecret = named ?? process.env.WEBHOOK_SECRET?.trim().split(/\s+/)[0];
    const secret = givenSecret ?? `whsec_${randomBytes(32).toString('base64')}`;
    if (!secret.startsWith('whsec_')) {
      throw new UsageError(`${named === undefined ? 'WEBHOOK_SECRET' : '--secret'} must begin with whsec_.`);
    }
    const checkout = await clientOf(given);
    const { merchant_id } = await checkout.showBillingDashboard();
    const shown = givenSecret === undefined ? secret : 'the given secret';
    if (forward) console.error(`Forwarding to ${forward}, signed with ${shown}`);
    console.error(`Listening for events of ${merchant_id}.`);
    for await (const event of newEvents(checkout, merchant_id, since, eventTypeOf(given))) {
      const { body } = await checkout.showWebhookEvent(merchant_id, event.id);
      const answer = forward ? await post(forward, event.id, body, secret) : null;
      show(given, event, body, answer);
      if (given.values.once) return;
    }
  },
};

/** From the oldest on, each once, for ever. */
async function* newEvents(
  checkout: HostedCheckout,
  merchantId: string,
  since: number,
  type: WebhookEvent['type'] | undefined,
): AsyncGenerator<WebhookLogEvent> {
  const seen = new Set<string>();
  for (let from = since; ; await pause(POLL_MS)) {
    const rows: WebhookLogEvent[] = [];
    const query = { from: new Date(from).toISOString(), type };
    const read = (cursor: string | undefined) =>
      checkout.listWebhookEvents(merchantId, { ...query, cursor, limit: 100 });
    for await (const row of everyRow(read)) rows.push(row);
    for (const row of rows.reverse()) {
      if (seen.has(row.id)) continue;
      seen.add(row.id);
      yield row;
    }
    const newest = rows.at(-1);
    if (newest) from = Math.max(since, Date.parse(newest.recorded_at) - OVERLAP_MS);
  }
}

async function post(url: string, id: string, body: string, secret: string): Promise<string> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Service-Signature': `t=${timestamp},v1=${signature}`,
        'Service-Event-Id': id,
        'Service-Delivery-Attempt': '1',
      },
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

function show(given: Given, event: WebhookLogEvent, body: string, answer: string | null): void {
  const about = `${event.occurred_at}  ${event.type}  ${event.id}`;
  print(given, { forwarded: answer, event: JSON.parse(body) }, answer ? `${about}  → ${answer}` : about);
}
