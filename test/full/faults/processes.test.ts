import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { SecretBox } from '../../../platform/secrets/encryption.ts';
import { openPageToken, type StoredPageToken } from '../../../platform/secrets/page-token.ts';
import { openTemporal } from '../../../platform/temporal/client.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import {
  buy,
  CARDS,
  expectBooksToAgree,
  putFault,
  QUICK,
  query,
  until,
  untilShopHears,
  untilState,
} from '../../faults/books.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  // Calls outlast the start of the next worker, even on a busy machine.
  stack = await startStack({ env: { ...QUICK, RAIL_CALL_TIMEOUT_SECONDS: '60' } });
});
afterEach(() => expectBooksToAgree(stack));
afterAll(() => stack?.stop());

async function ledgerLength(): Promise<number> {
  return ((await (await fetch(`${stack.railUrl}/ledger`)).json()) as unknown[]).length;
}

async function lookupCount(): Promise<number> {
  const requests = (await (await fetch(`${stack.railUrl}/requests`)).json()) as { operation: string }[];
  return requests.filter(({ operation }) => operation === 'lookup').length;
}

/** How long each workflow task waited in the queue of a worker that no longer took it. */
async function waitsForDeadWorkers(workflowId: string): Promise<readonly number[]> {
  const client = openTemporal(stack.temporal);
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  await client.connection.close();
  const timeOf = (eventId: unknown) => {
    const found = events?.find((event) => String(event.eventId) === String(eventId));
    return tsToMs(found?.eventTime);
  };
  return (events ?? []).flatMap(({ eventId, workflowTaskTimedOutEventAttributes: timedOut }) =>
    timedOut?.timeoutType === SCHEDULE_TO_START ? [timeOf(eventId) - timeOf(timedOut.scheduledEventId)] : [],
  );
}

/**
 * `TIMEOUT_TYPE_SCHEDULE_TO_START` of Temporal's API. A task that the worker had started, such as one that
 * calls the rail for up to four seconds, times out after ten instead.
 */
const SCHEDULE_TO_START = 2;

describe('SIGKILL of the worker', () => {
  test('after the rail has charged and before the answer is stored: one charge, and the session succeeds', async () => {
    const session = await stack.createCheckout(stack.products.oneTime);
    const before = await ledgerLength();
    await putFault(stack, { operation: 'authorize', mode: 'delay-after', delayMs: 15_000 });
    const paying = buy(session.hostedUrl, CARDS.approved, 90);
    await until(async () => (await ledgerLength()) > before, 'the rail has charged');
    await stack.kill('worker');
    const [payment] = await query<{ status: string; rail_order_id: string | null }>(
      stack,
      'select status, rail_order_id from payments where checkout_id = $1',
      [session.id],
    );
    expect(payment).toEqual({ status: 'processing', rail_order_id: null });
    await stack.start('worker');
    await untilState(stack, session.id, 'succeeded', 90_000);
    expect((await paying).state).toBe('succeeded');
    await untilShopHears(stack, 'payment.succeeded', session.id);
  }, 180_000);

  test('while another worker runs: the row changes soon after that worker’s look-up', async () => {
    const session = await stack.createCheckout(stack.products.oneTime);
    const before = await ledgerLength();
    await putFault(stack, { operation: 'authorize', mode: 'delay-after', delayMs: 90_000 });
    const paying = buy(session.hostedUrl, CARDS.approved, 150);
    await until(async () => (await ledgerLength()) > before, 'the rail has charged');
    const dying = stack.part('worker');
    const port = await freePort();
    await stack.start('worker', { WORKER_HEALTH_PORT: `${port}` }, { untilHealthy: false });
    await until(
      async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok,
      'the other worker is ready',
    );
    const lookups = await lookupCount();
    await dying.kill();
    await until(async () => (await lookupCount()) > lookups, 'the rail was asked');
    await untilState(stack, session.id, 'succeeded', 90_000);
    // Measured by Temporal's clock: other times depend on how busy the machine is.
    for (const waitedMs of await waitsForDeadWorkers(session.id)) expect(waitedMs).toBeLessThan(6_000);
    expect((await paying).state).toBe('succeeded');
    await stack.restart('worker');
  }, 240_000);

  test('between the state change and the delivery: the event still arrives', async () => {
    const session = await stack.createCheckout(stack.products.recurring);
    await fetch(`${stack.shopUrl}/events/behaviour`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status: 500, count: 3 }),
    });
    const paying = buy(session.hostedUrl, CARDS.approved, 60);
    await untilState(stack, session.id, 'succeeded');
    await stack.kill('worker');
    await paying;
    await stack.start('worker');
    await untilShopHears(stack, 'payment.succeeded', session.id, 90_000);
    await untilShopHears(stack, 'subscription.created', session.id, 90_000);
  }, 180_000);
});

describe('SIGKILL of the API', () => {
  test('between writing the row and starting the workflow: the relay starts it, and the session can be paid', async () => {
    // An API whose Temporal accepts the connection and never answers: the start hangs until its deadline.
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await stack.restart('api', { TEMPORAL_ADDRESS: address });
    const count = async () =>
      (await query<{ n: string }>(stack, 'select count(*) as n from checkouts'))[0]?.n;
    const before = await count();
    const creating = stack.createCheckout(stack.products.oneTime).catch(() => null);
    await until(async () => (await count()) !== before, 'the row exists');
    await stack.kill('api');
    await creating;
    silent.close();
    await stack.start('api');
    const [row] = await query<StoredPageToken & { id: string }>(
      stack,
      'select id, page_token, page_token_hash from checkouts order by id desc limit 1',
    );
    const started = async () =>
      (
        await query<{ at: string | null }>(
          stack,
          'select workflow_started_at as at from checkouts where id = $1',
          [row?.id],
        )
      )[0]?.at;
    await until(async () => (await started()) !== null, 'the relay has started it', 10_000);
    const token = row && openPageToken(new SecretBox(stack.secretsKey), row);
    expect((await buy(`${stack.apiUrl}/pay/${token}`, CARDS.approved)).state).toBe('succeeded');
  }, 120_000);

  test('in the middle of a payment: the page retries and shows that it succeeded', async () => {
    const session = await stack.createCheckout(stack.products.oneTime);
    await putFault(stack, { operation: 'authorize', mode: 'delay', delayMs: 2_000 });
    const paying = buy(session.hostedUrl, CARDS.approved, 60);
    await untilState(stack, session.id, 'processing');
    await stack.restart('api');
    expect((await paying).state).toBe('succeeded');
  }, 120_000);
});

describe('the rail', () => {
  test('drops the connection after charging: a look-up finds the one charge', async () => {
    const session = await stack.createCheckout(stack.products.oneTime);
    expect((await buy(session.hostedUrl, CARDS.chargedThenDropped)).state).toBe('succeeded');
    await untilShopHears(stack, 'payment.succeeded', session.id);
  });

  test('drops the connection before charging: nothing is charged, and the session can be paid', async () => {
    const session = await stack.createCheckout(stack.products.oneTime);
    expect((await buy(session.hostedUrl, CARDS.droppedBefore)).state).toBe('created');
    await expectBooksToAgree(stack);
    expect((await buy(session.hostedUrl, CARDS.approved)).state).toBe('succeeded');
  });

  test('sends its webhooks twice and out of order: one success and one event follow', async () => {
    const session = await stack.createCheckout(stack.products.oneTime);
    expect((await buy(session.hostedUrl, CARDS.unrulyWebhooks)).state).toBe('succeeded');
    await until(
      async () =>
        (
          await query<{ n: string }>(
            stack,
            'select count(*) as n from rail_webhooks where applied_at is null',
          )
        )[0]?.n === '0',
      'all webhooks are judged',
      90_000,
    );
  }, 120_000);
});

describe('the buyer', () => {
  test('clicks ten times concurrently: one charge is made', async () => {
    const session = await stack.createCheckout(stack.products.oneTime);
    const reports = await Promise.all(
      Array.from({ length: 10 }, () => buy(session.hostedUrl, CARDS.approved)),
    );
    // A click during another attempt gets that answer immediately instead of waiting.
    for (const { state } of reports) expect(['succeeded', 'processing']).toContain(state);
    await untilState(stack, session.id, 'succeeded');
  });

  test('pays in two tabs, one with a challenge: one tab joins the other’s attempt, and one charge is made', async () => {
    const session = await stack.createCheckout(stack.products.oneTime);
    const [first, second] = await Promise.all([
      buy(session.hostedUrl, CARDS.challenge),
      buy(session.hostedUrl, CARDS.approved),
    ]);
    expect(['succeeded', 'requires_action', 'processing']).toContain(first.state);
    expect(['succeeded', 'requires_action', 'processing']).toContain(second.state);
    await until(
      async () =>
        ['succeeded', 'requires_action'].includes(
          (
            await query<{ state: string }>(stack, 'select state from checkouts where id = $1', [session.id])
          )[0]?.state ?? '',
        ),
      'the session has settled',
    );
  });
});
