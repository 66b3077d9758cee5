/** Subscriptions with workflows on top of the checkout's world, bought with a test card. */
import { randomUUID } from 'node:crypto';
import type { UpdateDefinition } from '@temporalio/common';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { createMethodChange } from '../../../db/session/method-changes.ts';
import { createPaymentLink } from '../../../db/session/payment-links.ts';
import { findSessionToStart } from '../../../db/session/session-sweep.ts';
import { hasArrived } from '../../../db/subscription/advance-subscription.ts';
import { findStartableSubscription } from '../../../db/subscription/read/subscription-sweep.ts';
import { loadSubscriptionView } from '../../../db/subscription/read/subscription-view.ts';
import type { SubscriptionView } from '../../../domain/subscription/subscription-view.ts';
import { createPageToken, openPageToken } from '../../../platform/secrets/page-token.ts';
import { startSubscription } from '../../../platform/temporal/start-workflows.ts';
import { sessionWorkflow } from '../../../workflows/session/session-messages.ts';
import { sessionStart } from '../../../workflows/session/session-start.ts';
import { advanceClockUpdate } from '../../../workflows/subscription/subscription-messages.ts';
import { pauseSince } from '../core/eventually.ts';
import { testSecretBox } from '../db/fixtures.ts';
import { invoicesOf } from '../db/subscriptions.ts';
import type { SessionWorld } from './checkout-world.ts';

export const CARDS = {
  approved: '4242424242424242',
  softDeclines: '4000000000000341',
  twoSoftDeclines: '4000009000000433',
  hardDecline: '4000009000000425',
  authenticationRequired: '4000009000000417',
  challengeOnce: '4000003800000446',
} as const;

/** Buys a recurring product and starts the subscription's workflow, as the relay does. */
export async function subscribe(
  world: SessionWorld,
  {
    productId = world.shop.products.recurring,
    card = CARDS.approved as string,
    timings = world.timings,
  } = {},
): Promise<string> {
  const checkoutId = await world.session(productId);
  await world.pay(checkoutId, card);
  await world.until(checkoutId, 'succeeded');
  const id = await world.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select id from subscriptions where checkout_id = ${checkoutId}
  `);
  await startIt(world, id, timings);
  return id;
}

export async function startIt(world: SessionWorld, id: string, timings = world.timings): Promise<void> {
  const row = await findStartableSubscription(world.pool, id);
  if (!row) throw new Error(`${id} cannot be started`);
  await startSubscription({ pool: world.pool, client: world.client, session: { timings } }, row);
}

export function update<Reply, Command>(
  world: SessionWorld,
  id: string,
  definition: UpdateDefinition<Reply, [Command]>,
  command: Command,
  updateId: string = randomUUID(),
): Promise<Reply> {
  return world.client.workflow.getHandle(id).executeUpdate(definition, { args: [command], updateId });
}

export const viewOf = (world: SessionWorld, id: string) => loadSubscriptionView(world.pool, id);

/** Moves the subscription's clock and waits until it has arrived. */
export async function advance(world: SessionWorld, id: string, to: string): Promise<SubscriptionView> {
  const reply = await update(world, id, advanceClockUpdate, { to });
  if (reply.kind === 'refused') throw new Error(`the clock was not moved: ${reply.reason}`);
  await untilArrived(world, id);
  return viewOf(world, id);
}

/** Waits as long as the subscription progresses, because under load each of many renewals takes a second. */
export async function untilArrived(world: SessionWorld, id: string, standsStillMs = 30_000): Promise<void> {
  let seen = await viewOf(world, id);
  const start = performance.now();
  for (let end = start + standsStillMs; !(await hasArrived(world.pool, id)); await pauseSince(start)) {
    if (performance.now() < end) continue;
    const now = await viewOf(world, id);
    if (now.version === seen.version) throw new Error(`${id} is still at ${JSON.stringify(now)}`);
    seen = now;
    end = performance.now() + standsStillMs;
  }
}

export async function untilView(
  world: SessionWorld,
  id: string,
  holds: (view: SubscriptionView) => boolean,
  withinMs = 20_000,
): Promise<SubscriptionView> {
  for (const start = performance.now(); ; await pauseSince(start)) {
    const view = await viewOf(world, id);
    if (holds(view)) return view;
    if (performance.now() - start > withinMs) throw new Error(`${id} is ${JSON.stringify(view)}`);
  }
}

/** Returns a function that adds days to the end of the first period (of the trial). */
export async function afterFirstPeriod(world: SessionWorld, id: string): Promise<(days: number) => string> {
  const { currentPeriodEnd } = await viewOf(world, id);
  const end = Date.parse(currentPeriodEnd ?? '');
  return (days) => new Date(end + days * 86_400_000).toISOString();
}

/** Approved off-session charges of this subscription at the rail. */
export async function chargesOf(world: SessionWorld, id: string): Promise<readonly number[]> {
  const ids = await world.pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    select p.id from payments p join invoices i on i.id = p.invoice_id
    where i.subscription_id = ${id} and p.checkout_id is null
  `);
  const ledger = await world.ledger();
  return ledger
    .filter(({ reference, operation }) => ids.includes(reference) && operation === 'chargeStored')
    .map(({ amount }) => amount);
}

/** A method change with its workflow, as `POST /v1/payment-methods/change` makes it. */
export async function changeMethod(
  world: SessionWorld,
  subscriptionId: string,
): Promise<{ readonly id: string; readonly pageToken: string }> {
  const externalCustomerId = await world.pool.oneFirst(sql.type(z.object({ external: z.string() }))`
    select u.external_customer_id as external
    from customers u join subscriptions s on s.customer_id = u.id where s.id = ${subscriptionId}
  `);
  const { merchantId, environment } = world.shop;
  const change = await createMethodChange(world.pool, {
    scope: { merchantId, environment },
    operationId: null,
    subscriptionId,
    externalCustomerId,
    buyer: { email: 'canary@example.eu', party: null },
    successUrl: 'https://shop.example/account',
    failUrl: 'https://shop.example/account',
    maxAttempts: 3,
    pageToken: createPageToken(testSecretBox, 'ap_pmc_'),
    railNames: ['sandbox'],
  });
  if (change.refusal !== null) throw new Error(`refused: ${change.refusal}`);
  await startSession(world, change.id);
  return { id: change.id, pageToken: openPageToken(testSecretBox, change) };
}

/** A link for the subscription's oldest unpaid invoice, with its workflow. */
export async function linkInvoice(world: SessionWorld, subscriptionId: string): Promise<string> {
  const unpaid = (await invoicesOf(world.pool, subscriptionId)).find(({ status }) =>
    ['open', 'payment_failed'].includes(status),
  );
  const { merchantId, environment } = world.shop;
  const link = await createPaymentLink(world.pool, {
    scope: { merchantId, environment },
    subscriptionId,
    invoiceId: unpaid?.id ?? '',
    maxAttempts: 3,
    pageToken: createPageToken(testSecretBox, 'ap_lnk_'),
    railNames: ['sandbox'],
  });
  if (link.refusal !== null) throw new Error(`refused: ${link.refusal}`);
  await startSession(world, link.id);
  return link.id;
}

export async function startSession(world: SessionWorld, id: string): Promise<void> {
  const row = await findSessionToStart(world.pool, id);
  if (!row) throw new Error(`${id} cannot be started`);
  await world.client.workflow.start(sessionWorkflow(row.id), sessionStart(row, world));
}
