/** Posts due webhooks to their accounts; a 2xx within the time-out counts as accepted. */
import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import { type DueEvent, leaseDueEvents, markDelivered, retryEvent } from '../db/events.ts';
import type { Pool } from '../db/pool.ts';

const BATCH = 20;
const TIMEOUT_MS = 5_000;
/** Longer than a batch can take: only a crash causes a duplicate delivery. */
const LEASE_MS = 15_000;

/** @returns number of events attempted */
export async function deliverDueEvents(
  pool: Pool,
  log: Logger,
  retrySeconds: readonly number[],
): Promise<number> {
  const due = await leaseDueEvents(pool, BATCH, LEASE_MS);
  await Promise.all(due.map((event) => deliver(pool, log, retrySeconds, event)));
  return due.length;
}

async function deliver(
  pool: Pool,
  log: Logger,
  retrySeconds: readonly number[],
  event: DueEvent,
): Promise<void> {
  const problem = await post(event);
  if (problem === null) return markDelivered(pool, event.sequence);
  const afterSeconds = retrySeconds[event.attempts] ?? null;
  log.info(
    { event: event.sequence, attempt: event.attempts + 1, problem, afterSeconds },
    'webhook not accepted',
  );
  await retryEvent(pool, event.sequence, afterSeconds === null ? null : afterSeconds * 1_000);
}

/** @returns null if accepted */
async function post({ webhookUrl, webhookSecret, body }: DueEvent): Promise<string | null> {
  const signature = signWebhook(body, webhookSecret, Math.floor(Date.now() / 1_000));
  try {
    const response = await fetch(webhookUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Rail-Signature': signature },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? null : `status ${response.status}`;
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable';
  }
}

/** `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>" under the webhook secret>`. */
function signWebhook(body: string, secret: string, unixSeconds: number): string {
  const digest = createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex');
  return `t=${unixSeconds},v1=${digest}`;
}
