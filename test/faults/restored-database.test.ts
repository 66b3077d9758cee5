/** A restored database is older than the rail: it finds earlier charges instead of repeating them (rule 28). */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { claimKey } from '../../db/core/idempotency.ts';
import { sql } from '../../db/core/pool.ts';
import { createRefund } from '../../db/refund/create-refund.ts';
import { findSessionToStart } from '../../db/session/session-sweep.ts';
import { REFUND_WORKFLOW, refundStart } from '../../workflows/refund/refund-messages.ts';
import { CHECKOUT_WORKFLOW } from '../../workflows/session/session-messages.ts';
import { sessionStart } from '../../workflows/session/session-start.ts';
import { eventually } from '../support/core/eventually.ts';
import { type Backup, backUp } from '../support/db/postgres.ts';
import { invoicesOf } from '../support/db/subscriptions.ts';
import { createSessionWorld, type SessionWorld } from '../support/world/checkout-world.ts';
import {
  advance,
  afterFirstPeriod,
  CARDS,
  startIt,
  subscribe,
  viewOf,
} from '../support/world/subscription-world.ts';

const OTHER_CARD = '5555555555554444';

let world: SessionWorld;
let backup: Backup;

beforeAll(async () => {
  world = await createSessionWorld();
  await world.pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}'
    where id = ${world.shop.railAccountId}`);
  await world.startWorker();
});
afterEach(() => backup?.drop());
afterAll(() => world?.close());

async function backUpNow(): Promise<void> {
  await world.stopWorker();
  backup = await backUp({ url: world.databaseUrl });
  await world.startWorker();
}

/** Restores the database only: the rail keeps its charges, and the workflow's run is lost. */
async function restore(workflowId: string): Promise<void> {
  await world.stopWorker();
  await world.client.workflow
    .getHandle(workflowId)
    .terminate('lost')
    .catch(() => {});
  await backup.restore();
  await eventually(() => world.pool.query(sql.unsafe`select 1`));
  await world.startWorker();
}

const moneyTaken = async (operation: 'authorize' | 'chargeStored', since: number) =>
  (await world.ledger()).slice(since).filter((entry) => entry.operation === operation);

test('a renewal that was charged before the restore is adopted, not charged again', async () => {
  const id = await subscribe(world);
  const day = await afterFirstPeriod(world, id);
  await backUpNow();
  const before = (await world.ledger()).length;
  await advance(world, id, day(1));
  expect(await moneyTaken('chargeStored', before)).toHaveLength(1);

  await restore(id);
  await startIt(world, id);
  const view = await advance(world, id, day(1));
  expect(view).toMatchObject({ status: 'active', openAttempt: null });
  expect(await moneyTaken('chargeStored', before)).toHaveLength(1);
  expect((await invoicesOf(world.pool, id)).map(({ status }) => status)).not.toContain('open');
});

test('a lost dunning retry is adopted after the lost declines before it', async () => {
  const id = await subscribe(world, { card: CARDS.twoSoftDeclines });
  const day = await afterFirstPeriod(world, id);
  await backUpNow();
  const before = (await world.ledger()).length;
  await advance(world, id, day(10));
  expect(await viewOf(world, id)).toMatchObject({ status: 'active' });
  const paymentsBefore = await paymentsOf(id);
  expect(paymentsBefore.map(({ status }) => status)).toEqual(['failed', 'failed', 'succeeded']);

  await restore(id);
  await startIt(world, id);
  await advance(world, id, day(10));
  expect(await viewOf(world, id)).toMatchObject({ status: 'active' });
  expect(await paymentsOf(id)).toEqual(paymentsBefore);
  expect(await moneyTaken('chargeStored', before)).toHaveLength(1);
});

test('a lost attempt is adopted when the buyer clicks again with another card', async () => {
  const id = await world.session();
  await backUpNow();
  const before = (await world.ledger()).length;
  await world.pay(id, CARDS.approved);
  await world.until(id, 'succeeded');
  const [paid] = await world.payments(id);

  await restore(id);
  const row = await findSessionToStart(world.pool, id);
  if (!row) throw new Error(`${id} cannot be started`);
  const again = { ...sessionStart(row, world), workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const };
  await world.client.workflow.start(CHECKOUT_WORKFLOW, again);
  await world.pay(id, OTHER_CARD);
  await world.until(id, 'succeeded');
  expect(await world.payments(id)).toEqual([paid]);
  expect(await moneyTaken('authorize', before)).toHaveLength(1);
});

test('a repeated refund request under the same key refunds once', async () => {
  const session = await world.session();
  await world.pay(session, CARDS.approved);
  await world.until(session, 'succeeded');
  const paymentId = (await world.payments(session))[0]?.id ?? '';
  await backUpNow();
  const key = randomUUID();
  const first = await refund(paymentId, key, 100);

  await restore(first);
  expect(await refund(paymentId, key, 100)).toBe(first);
  const refunds = (await world.ledger()).filter(({ operation }) => operation === 'refund');
  expect(refunds.map(({ reference }) => reference)).toEqual([first]);
  expect(await refund(paymentId, randomUUID(), 100)).not.toBe(first);
});

/** Requests a refund as `POST /v1/refunds` does, and waits until the rail has made it. */
async function refund(paymentId: string, key: string, amount: number): Promise<string> {
  const claim = await claimKey(world.pool, {
    scope: `merchant:${world.shop.merchantId}:sandbox`,
    key,
    method: 'POST',
    path: '/v1/refunds',
    bodyHash: createHash('sha256').update(`${paymentId} ${amount}`).digest(),
    leaseSeconds: 30,
    movesMoney: true,
  });
  if (claim.kind !== 'mine') throw new Error(`the key is ${claim.kind}`);
  const made = await createRefund(world.pool, {
    scope: world.shop,
    operationId: claim.lease.operationId,
    of: { paymentId },
    amount,
    currency: null,
    reason: null,
    railNames: ['sandbox'],
  });
  if (typeof made === 'string') throw new Error(made);
  const start = refundStart({ ...world.shop, id: made.id, amount, currency: made.currency }, world.timings);
  const again = { ...start, workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const };
  await world.client.workflow.start(REFUND_WORKFLOW, again);
  await eventually(async () => {
    const row = sql.type(z.object({ status: z.string() }));
    expect(await world.pool.oneFirst(row`select status from refunds where id = ${made.id}`)).toBe(
      'succeeded',
    );
  });
  return made.id;
}

function paymentsOf(subscriptionId: string) {
  return world.pool.any(sql.type(z.object({ id: z.string(), status: z.string() }))`
    select p.id, p.status from payments p join invoices i on i.id = p.invoice_id
    where i.subscription_id = ${subscriptionId} and p.checkout_id is null order by p.attempt_no
  `);
}
