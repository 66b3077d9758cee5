/**
 * Invariants after any fault: the rail's ledger has at most one charge per session, the service agrees with the ledger,
 * no attempt was sent twice, and each event exists once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import pg from 'pg';
import { type BuyerReport, payAsBuyer } from '../../sandbox/buyer/buyer.ts';
import type { TestStack } from '../support/stack/stack.ts';

export const CARDS = {
  approved: '4242424242424242',
  challenge: '4000002760003184',
  chargedThenDropped: '4000009000000110',
  droppedBefore: '4000009000000128',
  unrulyWebhooks: '4000009000000326',
} as const;

interface LedgerEntry {
  readonly reference: string;
  readonly operation: string;
  readonly outcome: string;
}

interface RailRequest {
  readonly operation: string;
  readonly reference: string | null;
}

interface SessionRow {
  readonly id: string;
  readonly state: string;
  readonly payments: readonly { id: string; status: string }[];
  readonly events: readonly string[];
}

export async function expectBooksToAgree(stack: TestStack): Promise<void> {
  const ledger = (await (await fetch(`${stack.railUrl}/ledger`)).json()) as LedgerEntry[];
  const charges = ledger.filter(({ operation, outcome }) => operation !== 'refund' && outcome === 'approved');
  for (const session of await query<SessionRow>(stack, SESSIONS)) {
    const charged = charges.filter(({ reference }) => session.payments.some(({ id }) => id === reference));
    const succeeded = session.payments.filter(({ status }) => status === 'succeeded');
    expect({ id: session.id, charged: charged.length }).toEqual({
      id: session.id,
      charged: succeeded.length,
    });
    expect(charged.length).toBeLessThanOrEqual(1);
    expect(session.state === 'succeeded').toBe(charged.length === 1);
    const once = new Set(session.events);
    expect(session.events).toHaveLength(once.size);
    expect(session.events.filter((type) => type.startsWith('payment.succeeded'))).toHaveLength(
      charged.length,
    );
  }
  // The sandbox rail charges a reference once, however often it is sent; the service must not rely on that.
  const requests = (await (await fetch(`${stack.railUrl}/requests`)).json()) as RailRequest[];
  const sent = requests
    .filter(({ operation }) => operation === 'authorize')
    .map(({ reference }) => reference);
  expect(sent).toHaveLength(new Set(sent).size);
  const known = await query<{ id: string }>(stack, 'select id from payments');
  for (const { reference } of charges) expect(known.map(({ id }) => id)).toContain(reference);
}

const SESSIONS = `
  select c.id, c.state,
    coalesce((select json_agg(json_build_object('id', p.id, 'status', p.status)) from payments p
      where p.checkout_id = c.id), '[]') as payments,
    array(select e.type || ' ' || e.aggregate_id from events e join payments p on p.id = e.aggregate_id
      where p.checkout_id = c.id) as events
  from checkouts c`;

export async function query<Row>(
  stack: Pick<TestStack, 'databaseUrl'>,
  text: string,
  values: unknown[] = [],
) {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end();
  }
}

async function stateOf(stack: TestStack, checkoutId: string): Promise<string> {
  const [row] = await query<{ state: string }>(stack, 'select state from checkouts where id = $1', [
    checkoutId,
  ]);
  return row?.state ?? 'none';
}

export async function untilState(stack: TestStack, checkoutId: string, state: string, withinMs = 60_000) {
  await until(
    async () => (await stateOf(stack, checkoutId)) === state,
    `${checkoutId} is ${state}`,
    withinMs,
  );
}

export async function until(holds: () => Promise<boolean>, what: string, withinMs = 60_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > end) throw new Error(`timed out after ${withinMs} ms: ${what}`);
    await pause(100);
  }
}

/** Pays over HTTP as the page does. */
export async function buy(hostedUrl: string, card: string, timeoutSeconds = 60): Promise<BuyerReport> {
  return (await payAsBuyer({ hostedUrl, card, timeoutSeconds })).report;
}

/** Waits until the shop has verified an event of this type about this session's payment. */
export async function untilShopHears(stack: TestStack, type: string, checkoutId: string, withinMs = 60_000) {
  const payments = await query<{ id: string }>(stack, 'select id from payments where checkout_id = $1', [
    checkoutId,
  ]);
  await until(
    async () => {
      const heard = (await (await fetch(stack.webhook.eventsUrl)).json()) as {
        verified: boolean;
        event: { type: string; payment: { id: string } | null };
      }[];
      return heard.some(
        ({ verified, event }) =>
          verified && event.type === type && payments.some(({ id }) => id === event.payment?.id),
      );
    },
    `the shop receives ${type}`,
    withinMs,
  );
}

export async function putFault(stack: TestStack, fault: Readonly<Record<string, unknown>>): Promise<void> {
  const response = await fetch(`${stack.railUrl}/admin/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  if (!response.ok) throw new Error(`fault refused: ${await response.text()}`);
}

/** Shorter than the defaults, so that look-ups and deliveries do not take minutes. */
export const QUICK = {
  RECONCILE_SCHEDULE_SECONDS: '1,1,2,2,3',
  RECONCILE_LONG_SCHEDULE_SECONDS: '3',
  WEBHOOK_SCHEDULE_SECONDS: '0,1,1,2,2,3,5,5',
  WEBHOOK_JITTER: '0',
  LOG_LEVEL: 'warn',
};
