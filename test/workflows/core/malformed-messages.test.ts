/**
 * Sends malformed input, as an operator or a stranger could, to every handler of every workflow (rule 31), which must
 * still work afterwards. Workflows and handlers are enumerated: a new handler is tested without a line here, and a new
 * workflow fails here until it has a case.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import fc from 'fast-check';
import { sql } from '../../../db/core/pool.ts';
import { createRefund } from '../../../db/refund/create-refund.ts';
import { deleteEndpoint } from '../../../db/webhook/endpoint-status.ts';
import { railWebhookSignal, wakeSignal } from '../../../workflows/core/messages.ts';
import * as workflows from '../../../workflows/index.ts';
import { reconcileStart } from '../../../workflows/payment/reconcile-messages.ts';
import { refundStart } from '../../../workflows/refund/refund-messages.ts';
import { restoreStart } from '../../../workflows/restore/restore-messages.ts';
import { cancelUpdate, completeChallengeUpdate } from '../../../workflows/session/session-messages.ts';
import { cancelSubscriptionUpdate } from '../../../workflows/subscription/subscription-messages.ts';
import { deliverEventsStart } from '../../../workflows/webhook/endpoint-messages.ts';
import { recoverDeliveriesStart } from '../../../workflows/webhook/recovery-messages.ts';
import { insertNewerInvoice } from '../../support/db/subscriptions.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';
import { keepHistory, replayAll } from '../../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import { CARDS, changeMethod, linkInvoice, subscribe } from '../../support/world/subscription-world.ts';

/** Time limit of a call; a wedged workflow never answers. */
const ANSWERS_WITHIN_MS = 60_000;
/** Limited, because each input costs a workflow task. */
const INPUTS_PER_HANDLER = 12;

let world: SessionWorld;
let paid: string;
/**
 * While true the rail does not answer about refunds and late webhooks, and every backlog is too long to continue, so
 * that the runs do not advance.
 */
let holding = true;

beforeAll(async () => {
  const timeout = async () => ({ kind: 'unknown', reason: 'timeout' }) as const;
  world = await createSessionWorld({
    wrapRail: (rail) => ({
      ...rail,
      refund: (request) => (holding ? timeout() : rail.refund(request)),
      lookupRefund: (request) => (holding ? timeout() : rail.lookupRefund(request)),
      lookup: (request) => (holding && request.reference === paid ? timeout() : rail.lookup(request)),
    }),
    wrapActivities: (activities) => ({
      ...activities,
      readBacklog: async (id) =>
        holding ? { status: 'enabled' as const, due: 1_000 } : activities.readBacklog(id),
    }),
  });
  await world.pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}'
    where id = ${world.shop.railAccountId}`);
  await world.startWorker();
  const session = await world.session();
  await world.pay(session, CARDS.approved);
  await world.until(session, 'succeeded');
  paid = (await world.payments(session))[0]?.id ?? '';
});
afterAll(() => world?.close());

interface Case {
  /** @returns the id of a run that waits */
  start(): Promise<string>;
  /** Shows that the workflow still works after the malformed input. */
  works(run: WorkflowHandle): Promise<unknown>;
}

const CASES: Readonly<Record<keyof typeof workflows, Case>> = {
  checkout: {
    async start() {
      const id = await world.session();
      await world.pay(id, '4000002760003184');
      await world.until(id, 'requires_action');
      return id;
    },
    async works(run) {
      holding = false;
      await world.answerChallenge(run.workflowId, 'approve');
      const paymentId = (await world.payments(run.workflowId))[0]?.id ?? '';
      const returning = run.executeUpdate(completeChallengeUpdate, { args: [{ attemptId: paymentId }] });
      // A look-up caused by an earlier webhook may see the approval first, and end the run.
      await returning.catch((error: unknown) => {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      });
      expect(await run.result()).toMatchObject({ state: 'succeeded' });
    },
  },
  methodChange: {
    async start() {
      const { id } = await changeMethod(world, await subscribe(world));
      await world.pay(id, '4000002760003184');
      await world.until(id, 'requires_action');
      return id;
    },
    async works(run) {
      await run.executeUpdate(cancelUpdate, { args: [{ what: 'session' }] });
      expect(await run.result()).toMatchObject({ failureReason: 'cancelled' });
    },
  },
  paymentLink: {
    async start() {
      const subscriptionId = await subscribe(world);
      await insertNewerInvoice(world.pool, subscriptionId);
      const id = await linkInvoice(world, subscriptionId);
      await world.pay(id, '4000002760003184');
      await world.until(id, 'requires_action');
      return id;
    },
    async works(run) {
      await run.executeUpdate(cancelUpdate, { args: [{ what: 'session' }] });
      expect(await run.result()).toMatchObject({ failureReason: 'cancelled' });
    },
  },
  subscription: {
    start: () => subscribe(world),
    async works(run) {
      const answer = await run.executeUpdate(cancelSubscriptionUpdate, { args: [{ atPeriodEnd: false }] });
      expect(answer).toMatchObject({ kind: 'done' });
      expect(await run.result()).toEqual({ status: 'cancelled' });
    },
  },
  refund: {
    async start() {
      const refund = await createRefund(world.pool, {
        scope: world.shop,
        operationId: randomUUID(),
        of: { paymentId: paid },
        amount: 100,
        currency: null,
        reason: null,
        railNames: ['sandbox'],
      });
      if (typeof refund === 'string') throw new Error(refund);
      const start = refundStart({ ...world.shop, ...refund }, world.timings);
      await world.client.workflow.start('refund', start);
      return refund.id;
    },
    async works(run) {
      await run.signal(wakeSignal);
      expect(await run.result()).toEqual({ status: 'succeeded' });
    },
  },
  reconcile: {
    async start() {
      const start = reconcileStart({ ...world.shop, paymentId: paid });
      await world.client.workflow.start('reconcile', start);
      return start.workflowId;
    },
    async works(run) {
      await run.signal(railWebhookSignal, { attemptId: paid });
      expect(await run.result()).toBe('agrees');
    },
  },
  deliverEvents: {
    async start() {
      const { merchantId, environment } = world.shop;
      const endpoint = await createEndpoint(world.pool, world.shop);
      const start = deliverEventsStart({ merchantId, environment, endpointId: endpoint.id });
      await world.client.workflow.start('deliverEvents', start);
      return endpoint.id;
    },
    async works(run) {
      await deleteEndpoint(world.pool, { ...world.shop, endpointId: run.workflowId }, { actor: 'ada' });
      await run.signal(wakeSignal);
      await run.result();
    },
  },
  recoverDeliveries: {
    async start() {
      const { merchantId, environment } = world.shop;
      const endpoint = await createEndpoint(world.pool, world.shop);
      const now = new Date().toISOString();
      const at = { merchantId, environment, endpointId: endpoint.id };
      const start = recoverDeliveriesStart(at, now, now);
      await world.client.workflow.start('recoverDeliveries', start);
      return start.workflowId;
    },
    async works(run) {
      expect(await run.result()).toMatchObject({ state: 'finished' });
    },
  },
  restore: {
    async start() {
      const start = restoreStart(1);
      await world.client.workflow.start('restore', start);
      return start.workflowId;
    },
    async works(run) {
      expect(await run.result()).toMatchObject({ step: 'lifted' });
    },
  },
  sweep: { start: () => startBare('sweep'), works: (run) => run.result() },
  pruneEvents: { start: () => startBare('pruneEvents'), works: (run) => run.result() },
};

async function startBare(type: 'sweep' | 'pruneEvents'): Promise<string> {
  const workflowId = `${type}-${randomUUID()}`;
  await world.client.workflow.start(type, { workflowId, taskQueue: 'billing', args: [] });
  return workflowId;
}

interface Handlers {
  readonly definition: {
    readonly signalDefinitions?: readonly { readonly name: string }[];
    readonly updateDefinitions?: readonly { readonly name: string }[];
  };
}

async function handlersOf(run: WorkflowHandle) {
  const { definition } = await run.query<Handlers>('__temporal_workflow_metadata');
  const names = (all: readonly { readonly name: string }[] = []) =>
    all.map(({ name }) => name).filter((name) => !name.startsWith('__'));
  return {
    signals: names(definition.signalDefinitions),
    updates: names(definition.updateDefinitions),
  };
}

/** Fields of all messages, so that some input is nearly valid; none of it may take effect. */
const FIELDS = [
  'claimId',
  'attemptId',
  'requestId',
  'what',
  'outcome',
  'operator',
  'reason',
  'evidence',
  'changeId',
  'type',
  'targetPlanId',
  'targetOfferingId',
  'atPeriodEnd',
  'to',
];
const words = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '',
    '\0',
    'ends\0here',
    '\ud800',
    'x'.repeat(3_000),
    'evt_\0',
    '0000-01-01T00:00:00Z',
    '2027-02-30T00:00:00Z',
  ),
  fc.constantFrom('{"attemptId":7}', '__proto__', "'; drop table payments; --", 'plan_change', 'failing'),
);
const value = fc.oneof(
  words,
  fc.integer(),
  fc.double(),
  fc.constant(null),
  fc.array(words, { maxLength: 3 }),
);
const malformed = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, 7, true, '', '\0', [], {}, [[]]),
  value,
  fc.dictionary(fc.constantFrom(...FIELDS), value),
  fc.record(Object.fromEntries(FIELDS.map((field) => [field, words]))),
  fc.anything().map((any) => JSON.parse(JSON.stringify(any) ?? 'null') as unknown),
);

/** Other encodings and broken bytes, as Temporal UI and its command line can send them. */
const encoded = (encoding: string, data: string) => ({
  metadata: { encoding: Buffer.from(encoding) },
  data: Buffer.from(data),
});
const UNREADABLE = [
  encoded('json/protobuf', '{}'),
  encoded('json/plain', '{"attemptId": '),
  encoded('binary/encrypted', 'x'),
  { data: Buffer.from('x') },
];

function within<Answer>(sent: Promise<Answer>): Promise<Answer> {
  const silence = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer')), ANSWERS_WITHIN_MS).unref();
  });
  return Promise.race([sent, silence]);
}

/** Expects an answer or a refusal in time. */
async function isAnswered(sent: Promise<unknown>): Promise<void> {
  await within(sent.catch(() => {}));
}

async function sendUnreadable(run: WorkflowHandle, signals: readonly string[]): Promise<void> {
  const { workflowService } = world.client.connection;
  for (const signalName of signals) {
    for (const payload of UNREADABLE) {
      await workflowService.signalWorkflowExecution({
        namespace: world.namespace,
        workflowExecution: { workflowId: run.workflowId },
        signalName,
        input: { payloads: [payload, defaultPayloadConverter.toPayload('more')] },
        requestId: randomUUID(),
      });
    }
  }
}

describe.each(Object.keys(workflows) as (keyof typeof workflows)[])('%s', (type) => {
  test('still handles valid input after every handler got malformed input', async () => {
    holding = true;
    const run = world.client.workflow.getHandle(await CASES[type].start());
    const { signals, updates } = await handlersOf(run);
    const send = async (given: unknown) => {
      for (const name of signals) await run.signal(name, given);
      await Promise.all(updates.map((name) => isAnswered(run.executeUpdate(name, { args: [given] }))));
    };
    await sendUnreadable(run, signals);
    if (signals.length + updates.length > 0) {
      await fc.assert(fc.asyncProperty(malformed, send), { numRuns: INPUTS_PER_HANDLER, endOnFailure: true });
    }
    holding = false;
    await within(CASES[type].works(run));
    const history = await run.fetchHistory();
    await replayAll([{ workflowId: run.workflowId, history }]);
  }, 120_000);
});

test.each([
  ['billing', ['checkout', 'methodChange', 'subscription', 'refund', 'reconcile']],
  ['webhooks', ['deliverEvents', 'recoverDeliveries']],
])(
  'on the queue %s, a start with malformed arguments fails with the reason',
  async (taskQueue, types) => {
    for (const type of types) {
      for (const args of [[], [{ checkoutId: 7 }], ['ap_cs_1']]) {
        const workflowId = `malformed-${randomUUID()}`;
        const run = await world.client.workflow.start(type, { workflowId, taskQueue, args });
        const failed = expect(run.result()).rejects.toMatchObject({ cause: { type: 'InvalidRequest' } });
        await within(failed);
      }
    }
  },
  60_000,
);

test('every handler of a workflow that moves money is covered', async () => {
  holding = true;
  const run = world.client.workflow.getHandle(await CASES.checkout.start());
  expect(await handlersOf(run)).toEqual({
    signals: expect.arrayContaining(['railWebhook', 'wake', 'resolveRequested']),
    updates: expect.arrayContaining(['pay', 'completeChallenge', 'cancel', 'resolve']),
  });
  await run.signal('railWebhook');
  await run.signal('resolveRequested', { requestId: 'ends\0here' });
  holding = false;
  await CASES.checkout.works(run);
  await keepHistory(run, 'checkout-malformed-signals');
});
