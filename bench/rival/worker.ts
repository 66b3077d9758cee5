/** The rival's worker, as a process: charges at the sandbox rail and delivers the event, one job each. */
import { Logger, run } from 'graphile-worker';
import pg from 'pg';
import { webhookRequest } from '../../activities/webhook/signed-request.ts';
import { createWebhookAgent } from '../../outbound/agent.ts';
import { createResolve } from '../../outbound/resolve.ts';
import { sendAttempt } from '../../outbound/send.ts';
import type { RailAccount } from '../../rail/rail-account.ts';
import { createSandboxRail, SANDBOX_CAPABILITIES } from '../../rail/sandbox/index.ts';
import { readSetting, ready } from './setting.ts';

const TIMEOUT_MS = 15_000;

const BEGIN = {
  name: 'begin',
  text: `
    update payments set call_begun_at = now() from sessions
    where payments.id = $1 and sessions.id = session_id and status = 'processing'
    returning method_token, amount::float8 as amount, currency`,
};
const SETTLE = {
  name: 'settle',
  text: `
    with payment as (
      update payments set status = 'succeeded', rail_reference = $2 where id = $1 and status = 'processing'
      returning id, session_id
    ),
    session as (
      update sessions set state = 'succeeded' from payment where sessions.id = session_id
      returning sessions.id, amount, currency
    ),
    event as (
      insert into events (id, session_id, body)
      select named.id, session.id, json_build_object('id', named.id, 'type', 'payment.succeeded', 'occurred_at', now(),
        'merchant_id', 'rival', 'checkout', json_build_object('id', session.id),
        'payment', json_build_object('id', payment.id, 'amount', amount, 'currency', currency))::text
      from session, payment, (select 'evt_' || replace(gen_random_uuid()::text, '-', '') as id) named
      returning id
    )
    select graphile_worker.add_job('deliver', json_build_object('eventId', event.id)) from event`,
};
const EVENT = { name: 'event', text: 'select body from events where id = $1 and delivered_at is null' };
const DELIVERED = { name: 'delivered', text: 'update events set delivered_at = now() where id = $1' };

const { databaseUrl, receiverUrl, receiverSecret, ...railOf } = readSetting();
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const rail = createSandboxRail({ baseUrl: railOf.railUrl });
const account: RailAccount = {
  id: railOf.railAccount,
  merchantId: 'rival',
  environment: 'sandbox',
  rail: 'sandbox',
  status: 'active',
  capabilities: SANDBOX_CAPABILITIES,
  credential: {
    account: railOf.railAccount,
    secret: railOf.railSecret,
    webhookSecret: railOf.railWebhookSecret,
  },
};
const agent = createWebhookAgent({ allowLoopback: true, resolve: createResolve(), timeoutMs: TIMEOUT_MS });

/** Repeated after a crash or an unknown outcome: with the same idempotency key, the rail answers as before. */
async function charge(paymentId: string): Promise<void> {
  const begun = await pool.query({ ...BEGIN, values: [paymentId] });
  const [payment] = begun.rows;
  if (!payment) return;
  const outcome = await rail.authorize({
    account,
    reference: paymentId,
    idempotencyKey: `${paymentId}:authorize`,
    amountCents: payment.amount,
    currency: payment.currency,
    methodToken: payment.method_token,
    saveMandate: false,
    challengeReturnUrl: receiverUrl,
    remember: async () => {},
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (outcome.kind !== 'approved') throw new Error(`${paymentId}: ${outcome.kind}`);
  await pool.query({ ...SETTLE, values: [paymentId, outcome.railReference] });
}

async function deliver(eventId: string): Promise<void> {
  const found = await pool.query({ ...EVENT, values: [eventId] });
  const [event] = found.rows;
  if (!event) return;
  const delivery = { eventId, body: event.body, attempts: 0, url: receiverUrl, standardHeaders: false };
  const request = webhookRequest(delivery, [receiverSecret], Math.floor(Date.now() / 1_000));
  const { delivered, error } = await sendAttempt(
    request,
    { agent, timeoutMs: TIMEOUT_MS },
    new AbortController().signal,
  );
  if (!delivered) throw new Error(`not delivered: ${error}`);
  await pool.query({ ...DELIVERED, values: [eventId] });
}

await run({
  connectionString: databaseUrl,
  concurrency: 16,
  maxPoolSize: 20,
  noHandleSignals: true,
  logger: new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') console.error(message);
  }),
  taskList: {
    charge: (payload) => charge((payload as { paymentId: string }).paymentId),
    deliver: (payload) => deliver((payload as { eventId: string }).eventId),
  },
});
ready(null);
