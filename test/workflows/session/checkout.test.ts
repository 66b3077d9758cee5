import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { isUnconfirmed } from '../../../db/payment/rail-webhooks.ts';
import { insertResolveRequest, readResolveAnswer } from '../../../db/payment/resolve-requests.ts';
import {
  railWebhookSignal,
  resolveRequestedSignal,
  searchAttributes,
} from '../../../workflows/core/messages.ts';
import {
  cancelUpdate,
  completeChallengeUpdate,
  payUpdate,
  resolveUpdate,
} from '../../../workflows/session/session-messages.ts';
import { atBest } from '../../support/core/at-best.ts';
import { eventually } from '../../support/core/eventually.ts';
import { letExpire } from '../../support/db/attempts.ts';
import { currentDetails } from '../../support/temporal/current-details.ts';
import { railCallsOf } from '../../support/temporal/rail-calls.ts';
import { keepHistory, payloadsOf } from '../../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const APPROVED = '4242424242424242';
const DECLINED = '4000000000000002';
const CHALLENGE = '4000002760003184';
const CHALLENGE_THEN_DECLINED = '4000008400001629';
const CHARGED_THEN_DROPPED = '4000009000000110';
const DROPPED_BEFORE = '4000009000000128';
const PENDING_THEN_APPROVED = '4000009000000219';
const APPROVED_AFTER_CANCEL = '4000009000000318';

let world: SessionWorld;

beforeAll(async () => {
  world = await createSessionWorld({
    pages: { runbookUrl: 'https://runbook.example', dashboardUrl: 'https://pay.example/dashboard' },
  });
  await world.startWorker();
});

/** Answers are lost on purpose here: on a slow machine, together they would open the rail's breaker. */
beforeEach(async () => {
  await world.pool.query(sql.unsafe`update rail_answers set is_attempt = false where is_attempt`);
  await world.pool.query(sql.unsafe`delete from rail_breakers`);
});

afterAll(() => world.close());

const handle = (id: string) => world.client.workflow.getHandle(id);
const openAttempt = async (id: string) => (await world.view(id)).openAttempt?.attemptId ?? '';
const charged = async (id: string) => {
  const ids = new Set((await world.payments(id)).map((payment) => payment.id));
  return (await world.ledger()).filter(
    ({ reference, operation, outcome }) =>
      ids.has(reference) && operation !== 'refund' && outcome === 'approved',
  ).length;
};

describe('a session', () => {
  test('is paid immediately by an approved card, even during its start delay', async () => {
    const id = await world.session();
    expect(await world.pay(id, APPROVED)).toMatchObject({ kind: 'claimed', state: 'processing' });
    await world.until(id, 'succeeded');
    expect(await handle(id).result()).toEqual({ state: 'succeeded', failureReason: null });
    await keepHistory(handle(id), 'checkout-paid');
    expect(await charged(id)).toBe(1);
  });

  test('stays payable after a decline, and is paid by the next card', async () => {
    const id = await world.session();
    await world.pay(id, DECLINED);
    await world.until(id, 'created');
    await world.pay(id, APPROVED);
    await world.until(id, 'succeeded');
    expect(await world.payments(id)).toMatchObject([
      { status: 'failed', failure_code: 'card_declined' },
      { status: 'succeeded' },
    ]);
  });

  test('fails when its attempts are used up', async () => {
    const id = await world.session(undefined, { maxAttempts: 2 });
    for (const state of ['created', 'failed'] as const) {
      await world.pay(id, DECLINED);
      await world.until(id, state);
    }
    expect(await handle(id).result()).toEqual({ state: 'failed', failureReason: 'attempts_exhausted' });
    await keepHistory(handle(id), 'checkout-attempts-exhausted');
  });

  test('expires within 5 s of its instant', async () => {
    const expire = async () => {
      const id = await world.session(undefined, { lifetimeSeconds: 2 });
      const started = performance.now();
      expect(await handle(id).result()).toEqual({ state: 'failed', failureReason: 'expired' });
      return performance.now() - started;
    };
    expect(await atBest(7_000, expire)).toBeLessThan(7_000);
  });

  // The start delay rounds up, so a session has expired when its first task runs; a busy clock may be a little
  // behind.
  test('ends in its first task, once its start delay is over', async () => {
    const tasks = async () => {
      const id = await world.session(undefined, { lifetimeSeconds: 1 });
      await handle(id).result();
      const { events = [] } = await handle(id).fetchHistory();
      if (!events?.some(({ timerStartedEventAttributes }) => timerStartedEventAttributes))
        await keepHistory(handle(id), 'checkout-expired-in-first-task');
      return events?.filter(({ workflowTaskCompletedEventAttributes: task }) => task).length ?? 0;
    };
    expect(await atBest(2, tasks)).toBe(1);
  });

  test('does not expire because an update is rejected during its start delay', async () => {
    const id = await world.session();
    await expect(handle(id).executeUpdate(payUpdate, { args: [{ claimId: '' }] })).rejects.toThrow(
      WorkflowUpdateFailedError,
    );
    expect((await world.view(id)).state).toBe('created');
    await world.pay(id, APPROVED);
    await world.until(id, 'succeeded');
  });

  test('joins a repeated update and ten concurrent clicks to one charge', async () => {
    const id = await world.session();
    const claims = Array.from({ length: 10 }, () => randomUUID());
    for (const claim of claims) await world.storeClick(id, APPROVED, claim);
    const answers = await Promise.allSettled(
      [...claims, ...claims.slice(0, 2)].map((claim) => world.sendPay(id, claim)),
    );
    const kinds = answers.map((one) => (one.status === 'fulfilled' ? one.value.kind : 'error'));
    expect(kinds.filter((kind) => kind === 'claimed').length).toBeGreaterThan(0);
    await world.until(id, 'succeeded');
    expect(await world.payments(id)).toHaveLength(1);
    expect(await charged(id)).toBe(1);
  });
});

/** @param attemptNo counted from 0 */
async function cancelAttempt(id: string, attemptNo = 0) {
  const what = (await world.payments(id))[attemptNo]?.id ?? '';
  return handle(id).executeUpdate(cancelUpdate, { args: [{ what }] });
}

describe('an attempt that its buyer cancelled', () => {
  test('does not affect the next attempt if the cancellation arrives late', async () => {
    const id = await world.session();
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    await cancelAttempt(id);
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    expect(await cancelAttempt(id)).toEqual({ state: 'requires_action', failureReason: null });
    expect((await world.view(id)).openAttempt).toMatchObject({ cancelRequested: false });
    expect((await world.payments(id)).map(({ status }) => status)).toEqual(['cancelled', 'requires_action']);
    expect(await cancelAttempt(id, 1)).toEqual({ state: 'created', failureReason: null });
  });

  test('ends once the rail answers again, even if the cancel itself did not reach it', async () => {
    const id = await world.session();
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    for (const operation of ['lookup', 'cancel'] as const) {
      world.faults.add({ operation, mode: '500', count: 1, delayMs: 0 });
    }
    await cancelAttempt(id);
    await world.until(id, 'created');
    world.faults.clear();
    expect(await world.payments(id)).toMatchObject([{ status: 'cancelled' }]);
    await keepHistory(handle(id), 'checkout-cancel-asked-again');
  });
});

describe('a stray webhook', () => {
  test('does not delay the end of a session', async () => {
    const expire = async () => {
      const id = await world.session(undefined, { lifetimeSeconds: 6 });
      const started = performance.now();
      // Ends the start delay, so that the signal is handled.
      await handle(id).executeUpdate(cancelUpdate, { args: [{ what: 'ap_pay_none' }] });
      await pause(4_000);
      await handle(id).signal(railWebhookSignal, { attemptId: 'ap_pay_none' });
      expect(await handle(id).result()).toEqual({ state: 'failed', failureReason: 'expired' });
      await keepHistory(handle(id), 'checkout-expired-after-stray-webhook');
      return performance.now() - started;
    };
    expect(await atBest(8_000, expire)).toBeLessThan(8_000);
  });
});

describe('a challenge', () => {
  test('is awaited, and its approval is looked up at the rail', async () => {
    const id = await world.session();
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    const paymentId = await openAttempt(id);
    await world.answerChallenge(id, 'approve');
    await handle(id).executeUpdate(completeChallengeUpdate, { args: [{ attemptId: paymentId }] });
    await world.until(id, 'succeeded');
    expect(await charged(id)).toBe(1);
    await keepHistory(handle(id), 'checkout-challenge-approved');
  });

  test('is settled by a rail webhook if the browser never reports its end', async () => {
    const id = await world.session();
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    const paymentId = await openAttempt(id);
    await world.answerChallenge(id, 'approve');
    await handle(id).signal(railWebhookSignal, { attemptId: paymentId });
    await world.until(id, 'succeeded');
    await handle(id).result();
    await keepHistory(handle(id), 'checkout-told-by-webhook');
  });

  test('is not ended by a rail webhook alone: a look-up finds it open, and it continues', async () => {
    const id = await world.session();
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    const paymentId = await openAttempt(id);
    const lookups = async () =>
      (await world.railRequests()).filter(
        ({ operation, reference }) => operation === 'lookup' && reference === paymentId,
      ).length;
    const before = await lookups();
    await handle(id).signal(railWebhookSignal, { attemptId: paymentId });
    for (let tries = 0; (await lookups()) === before && tries < 100; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await lookups()).toBe(before + 1);
    // The inbox is a queue: once this update returns, the webhook has been handled.
    await handle(id).executeUpdate(payUpdate, { args: [{ claimId: 'never-stored' }] });
    expect(await world.view(id)).toMatchObject({
      state: 'requires_action',
      openAttempt: { attemptId: paymentId, status: 'requires_action' },
    });
  });

  test('is awaited again if it was reported as finished too early', async () => {
    const id = await world.session();
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    await handle(id).executeUpdate(completeChallengeUpdate, { args: [{ attemptId: await openAttempt(id) }] });
    await world.until(id, 'requires_action');
    await world.answerChallenge(id, 'approve');
    await handle(id).executeUpdate(completeChallengeUpdate, { args: [{ attemptId: await openAttempt(id) }] });
    await world.until(id, 'succeeded');
  });

  test.each([
    [CHALLENGE, 'fail', 'authentication_failed'],
    [CHALLENGE_THEN_DECLINED, 'approve', 'card_declined'],
  ] as const)('of %s that ends in %s leaves the session payable', async (card, result, code) => {
    const id = await world.session();
    await world.pay(id, card);
    await world.until(id, 'requires_action');
    const paymentId = await openAttempt(id);
    await world.answerChallenge(id, result);
    await handle(id).executeUpdate(completeChallengeUpdate, { args: [{ attemptId: paymentId }] });
    await world.until(id, 'created');
    expect(await world.payments(id)).toMatchObject([{ status: 'failed', failure_code: code }]);
  });

  test('cancelled by the buyer ends only once the rail has cancelled it', async () => {
    const id = await world.session();
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    const answer = await cancelAttempt(id);
    expect(answer).toEqual({ state: 'created', failureReason: null });
    const [given] = await world.payments(id);
    expect(given).toMatchObject({ status: 'cancelled' });
    const cancels = (await world.railRequests()).filter(
      ({ operation, reference }) => operation === 'cancel' && reference === given?.id,
    );
    expect(cancels).toHaveLength(1);
    await world.pay(id, APPROVED);
    await world.until(id, 'succeeded');
    expect(await charged(id)).toBe(1);
  });

  test('ends with the session when the buyer cancels the session', async () => {
    const id = await world.session();
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    const answer = await handle(id).executeUpdate(cancelUpdate, { args: [{ what: 'session' }] });
    expect(answer).toEqual({ state: 'failed', failureReason: 'cancelled' });
    await keepHistory(handle(id), 'checkout-cancelled-in-challenge');
  });

  test('ends with the session when an operator requests its cancellation in Temporal UI', async () => {
    const id = await world.session();
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    await handle(id).cancel();
    expect(await handle(id).result()).toEqual({ state: 'failed', failureReason: 'cancelled' });
    expect(await world.payments(id)).toMatchObject([{ status: 'cancelled' }]);
    await keepHistory(handle(id), 'checkout-cancellation-requested');
  });

  test('open at expiry is cancelled at the rail, whose answer decides', async () => {
    const before = await world.events();
    const id = await world.session(undefined, { lifetimeSeconds: 8 });
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    await world.until(id, 'failed', 20_000);
    // With a look-up alone, the attempt also ends, but through reconciliation_required and its alert.
    expect((await world.events()).slice(before.length)).toEqual(['payment.failed']);
    expect(await handle(id).result()).toEqual({ state: 'failed', failureReason: 'expired' });
    expect(await world.payments(id)).toMatchObject([{ status: 'cancelled' }]);
    await keepHistory(handle(id), 'checkout-expired-in-challenge');
  });

  test('approved before expiry without any message is a success', async () => {
    const id = await world.session(undefined, { lifetimeSeconds: 8 });
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    await world.answerChallenge(id, 'approve');
    await world.until(id, 'succeeded', 20_000);
  });
});

describe('an unknown outcome', () => {
  test('is resolved by a look-up if the charge succeeded: one charge', async () => {
    const id = await world.session();
    await world.pay(id, CHARGED_THEN_DROPPED);
    await world.until(id, 'succeeded');
    expect(await charged(id)).toBe(1);
  });

  test('ends by a binding cancel if no charge happened; the session can then be paid again', async () => {
    const id = await world.session();
    await world.pay(id, DROPPED_BEFORE);
    await world.until(id, 'created');
    expect(await world.payments(id)).toMatchObject([{ status: 'cancelled' }]);
    expect(await charged(id)).toBe(0);
  });

  test('is looked up while the charge is pending until the rail knows its outcome', async () => {
    const id = await world.session();
    await world.pay(id, PENDING_THEN_APPROVED);
    await world.until(id, 'succeeded');
    expect(await charged(id)).toBe(1);
  });

  test('becomes reconciliation_required, alerts, and is settled once the rail answers again', async () => {
    const id = await world.session();
    world.faults.add({ operation: 'authorize', mode: 'drop-after', count: 1, delayMs: 0 });
    world.faults.add({ operation: 'lookup', mode: '500', count: 30, delayMs: 0 });
    await world.pay(id, APPROVED);
    await world.until(id, 'reconciliation_required');
    // The row has the state before the activity's answer reaches the workflow.
    await eventually(async () =>
      expect(await currentDetails(handle(id))).toMatch(/^\*\*reconciliation_required/),
    );
    const { typedSearchAttributes } = await handle(id).describe();
    expect(typedSearchAttributes.get(searchAttributes.needsOperator)).toBe(true);
    const details = await currentDetails(handle(id));
    expect(details).toMatch(/^- The rail’s last answer: none \(`server_error`\), at 20/m);
    // Expected near the top, because Temporal UI cuts off the end of long details.
    expect(details.split('\n').slice(1, 3).join('\n')).toBe(
      '\n[What to do](https://runbook.example#reconciliation_required) · ' +
        `[In the dashboard](https://pay.example/dashboard/operations/subjects/${id})`,
    );
    expect(await world.events()).toContain('billing.operational_alert');
    world.faults.clear();
    await world.until(id, 'succeeded');
    expect(await charged(id)).toBe(1);
    const calls = await railCallsOf(handle(id));
    // The lost answer, the quick look-ups and at least one of the later ones; then the rail answers again.
    expect(calls.length).toBeGreaterThan(4);
    expect(calls.pop()).toEqual({ kind: 'approved' });
    const [first, ...others] = calls;
    // On a busy machine the task no longer waits for the answer; then a look-up comes first.
    expect([{ kind: 'unknown', reason: 'connection_lost' }, { kind: 'unanswered' }]).toContainEqual(first);
    const unanswered = { kind: 'unknown', reason: 'server_error' };
    expect(others).toEqual(others.map(() => unanswered));
    await keepHistory(handle(id), 'checkout-unanswered');
  });
});

describe('an invalid update is rejected by its validator', () => {
  const resolution = { outcome: 'failed', operator: 'ada', reason: 'seen', evidence: 'ticket 7' };

  test.each<[string, string, object]>([
    ['a challenge return without a payment', completeChallengeUpdate.name, { attemptId: '' }],
    ['a cancellation of nothing', cancelUpdate.name, { what: '' }],
    ['a resolution with an unknown outcome', resolveUpdate.name, { ...resolution, outcome: 'paid' }],
    ['a resolution without an operator', resolveUpdate.name, { ...resolution, operator: '' }],
    ['a resolution without a reason', resolveUpdate.name, { ...resolution, reason: undefined }],
    ['a resolution without evidence', resolveUpdate.name, { ...resolution, evidence: ' ' }],
  ])('%s', async (_what, update, command) => {
    const id = await world.session();
    await expect(handle(id).executeUpdate(update, { args: [command] })).rejects.toMatchObject({
      cause: { type: 'InvalidRequest' },
    });
    expect((await world.view(id)).state).toBe('created');
  });
});

describe('resolve', () => {
  const request = { operator: 'on-call', reason: 'the rail is gone', evidence: 'ticket 7' };

  async function stuckSession(): Promise<string> {
    const id = await world.session();
    await stick(id);
    return id;
  }

  async function stick(id: string): Promise<void> {
    world.faults.add({ operation: 'authorize', mode: 'drop-before', count: 1, delayMs: 0 });
    world.faults.add({ operation: 'lookup', mode: '500', count: 100, delayMs: 0 });
    world.faults.add({ operation: 'cancel', mode: '500', count: 100, delayMs: 0 });
    await world.pay(id, APPROVED);
    await world.until(id, 'reconciliation_required');
  }

  test('settles as failed while the rail does not answer, with an audit row', async () => {
    const id = await stuckSession();
    const answer = await handle(id).executeUpdate(resolveUpdate, {
      args: [{ ...request, outcome: 'failed' }],
    });
    expect(answer).toEqual({ state: 'failed', failureReason: 'resolved_by_operator' });
    expect(await isUnconfirmed(world.pool, id)).toBe(true);
    await keepHistory(handle(id), 'checkout-resolved');
    world.faults.clear();
    const audited = await world.pool.exists(sql.unsafe`
      select from audit_log where subject_id = ${id} and actor = 'temporal-ui:on-call' and action = 'checkout.resolve'
    `);
    expect(audited).toBe(true);
  });

  test('as failed asks the rail until it answers, and refunds a charge that it then finds', async () => {
    const id = await world.session();
    world.faults.add({ operation: 'authorize', mode: 'drop-after', count: 1, delayMs: 0 });
    world.faults.add({ operation: 'lookup', mode: '500', count: 100, delayMs: 0 });
    world.faults.add({ operation: 'cancel', mode: '500', count: 100, delayMs: 0 });
    await world.pay(id, APPROVED);
    await world.until(id, 'reconciliation_required');
    await handle(id).executeUpdate(resolveUpdate, { args: [{ ...request, outcome: 'failed' }] });
    const paymentId = (await world.payments(id))[0]?.id ?? '';
    const judge = handle(`${paymentId}-reconcile`);
    await eventually(async () => expect((await judge.describe()).status.name).toBe('RUNNING'));
    const asking = () =>
      world.pool.exists(sql.unsafe`
        select from rail_webhooks where reference = ${paymentId} and applied_at is null`);
    expect(await asking()).toBe(true);
    world.faults.clear();
    // Without a webhook and without the sweep.
    expect(await judge.result()).toBe('returned');
    expect(await asking()).toBe(false);
    const operations = (await world.ledger())
      .filter(({ reference }) => reference.startsWith(paymentId))
      .map(({ operation }) => operation);
    expect(operations).toEqual(['authorize', 'refund']);
  });

  test('writes the text of a stored request to the audit row only, not to Temporal', async () => {
    const id = await stuckSession();
    const words = { operator: 'canary-operator', reason: 'canary-reason', evidence: 'canary-evidence' };
    const requestId = await insertResolveRequest(world.pool, id, { ...words, outcome: 'failed' });
    await handle(id).signal(resolveRequestedSignal, { requestId });
    await world.until(id, 'failed');
    world.faults.clear();
    await handle(id).result();
    expect(await readResolveAnswer(world.pool, requestId)).toBe('done: failed');
    const audited = await world.pool.exists(sql.unsafe`
      select from audit_log where subject_id = ${id} and actor = 'canary-operator'
        and after ->> 'reason' = 'canary-reason' and after ->> 'evidence' = 'canary-evidence'
    `);
    expect(audited).toBe(true);
    const kept = await payloadsOf(handle(id));
    expect(kept).toContain(requestId);
    expect(kept).not.toContain('canary-');
    await keepHistory(handle(id), 'checkout-resolved-by-stored-request');
  });

  test('answers a stored request once: signalled again during a later doubt, it settles nothing', async () => {
    const id = await world.session();
    const words = { operator: 'early', reason: 'a mistake', evidence: 'none' };
    const requestId = await insertResolveRequest(world.pool, id, { ...words, outcome: 'failed' });
    // A signal alone does not end the session's start delay.
    await world.pay(id, DECLINED);
    await world.until(id, 'created');
    await handle(id).signal(resolveRequestedSignal, { requestId });
    const answer = 'refused: nothing to resolve: the session is created';
    await eventually(async () => expect(await readResolveAnswer(world.pool, requestId)).toBe(answer));
    await stick(id);
    await handle(id).signal(resolveRequestedSignal, { requestId });
    const resolved = handle(id).executeUpdate(resolveUpdate, { args: [{ ...request, outcome: 'failed' }] });
    expect(await resolved).toEqual({ state: 'failed', failureReason: 'resolved_by_operator' });
    world.faults.clear();
    expect(await readResolveAnswer(world.pool, requestId)).toBe(answer);
    const actors = await world.pool.anyFirst(sql.type(z.object({ actor: z.string() }))`
      select actor from audit_log where subject_id = ${id} and action = 'checkout.resolve'`);
    expect(actors).toEqual(['temporal-ui:on-call']);
  });

  test('yields to the rail’s answer, which is recorded, and the request is refused', async () => {
    const id = await stuckSession();
    world.faults.clear();
    const resolved = handle(id).executeUpdate(resolveUpdate, {
      args: [{ ...request, outcome: 'succeeded' }],
    });
    await expect(resolved).rejects.toThrow(WorkflowUpdateFailedError);
    await world.until(id, 'created');
  });

  test('is refused when there is nothing to settle', async () => {
    const id = await world.session();
    const resolved = handle(id).executeUpdate(resolveUpdate, { args: [{ ...request, outcome: 'failed' }] });
    await expect(resolved).rejects.toThrow(WorkflowUpdateFailedError);
    expect((await world.view(id)).state).toBe('created');
  });
});

describe('money after the end', () => {
  test('is returned if the rail approves a charge that it has already cancelled', async () => {
    const id = await world.session();
    await world.pay(id, APPROVED_AFTER_CANCEL);
    await handle(id).executeUpdate(cancelUpdate, { args: [{ what: 'session' }] });
    await world.until(id, 'failed');
    const paymentId = (await world.payments(id))[0]?.id ?? '';
    await letRailApprove(paymentId);
    const { startReconcile } = await import('../../../platform/temporal/start-workflows.ts');
    await startReconcile(world.client, {
      paymentId,
      merchantId: world.shop.merchantId,
      environment: 'sandbox',
    });
    await handle(`${paymentId}-reconcile`).result();
    await keepHistory(handle(`${paymentId}-reconcile`), 'reconcile-returned');
    const returned = await world.pool.exists(sql.unsafe`
      select from orphaned_charges where payment_id = ${paymentId} and returned_at is not null
    `);
    expect(returned).toBe(true);
    const entries = (await world.ledger()).filter(({ reference }) => reference.startsWith(paymentId));
    expect(entries.at(-1)).toMatchObject({ operation: 'refund', amount: 1_900 });
  });

  async function letRailApprove(paymentId: string): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      const entries = await world.ledger();
      if (entries.some(({ reference, outcome }) => reference === paymentId && outcome === 'approved')) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the rail did not approve');
  }
});

describe("Temporal's history", () => {
  test('contains no personal data, no token and no secret', async () => {
    const id = await world.session(world.shop.products.recurring);
    await world.pay(id, APPROVED);
    await handle(id).result();
    const history = JSON.stringify(await handle(id).fetchHistory());
    const bytes = Buffer.from(history).toString('utf8');
    const decoded = [...bytes.matchAll(/"data":"([^"]+)"/g)].map(([, data]) =>
      Buffer.from(data ?? '', 'base64').toString(),
    );
    for (const canary of ['canary-buyer', 'tok_', 'secret-', '42424242', '"4242"', 'https://']) {
      expect(bytes).not.toContain(canary);
      expect(decoded.join('\n')).not.toContain(canary);
    }
  });
});

test('a click on an expired session is refused, and the workflow ends the session as expired', async () => {
  const id = await world.session();
  await letExpire(world.pool, id);
  const claimId = randomUUID();
  expect(await world.sendPay(id, claimId)).toMatchObject({ kind: 'refused' });
  await world.until(id, 'failed');
});
