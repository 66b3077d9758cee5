import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { railWebhookSignal } from '../../../workflows/core/messages.ts';
import {
  cancelUpdate,
  completeChallengeUpdate,
  payUpdate,
  resolveUpdate,
} from '../../../workflows/session/session-messages.ts';
import { keepHistory, replayAll } from '../../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

/**
 * Rule 10: in the first task of a delayed workflow, a local activity of `main` alongside one of a handler once wedged
 * a run forever. Every kind of update arrives first here, alone and in pairs, and each history is replayed.
 */
const APPROVED = '4242424242424242';

let world: SessionWorld;
beforeAll(async () => {
  world = await createSessionWorld();
});
afterAll(() => world.close());

type Send = (id: string, claimId: string) => Promise<unknown>;
const handle = (id: string) => world.client.workflow.getHandle(id);
const request = { outcome: 'failed', operator: 'op', reason: 'r', evidence: 'e' } as const;

const FIRST: Readonly<Record<string, Send>> = {
  pay: (id, claimId) => handle(id).executeUpdate(payUpdate, { args: [{ claimId }], updateId: claimId }),
  payRefused: (id) => handle(id).executeUpdate(payUpdate, { args: [{ claimId: '' }] }),
  payUnknown: (id) => handle(id).executeUpdate(payUpdate, { args: [{ claimId: 'never-stored' }] }),
  completeChallenge: (id) =>
    handle(id).executeUpdate(completeChallengeUpdate, { args: [{ attemptId: 'ap_pay_none' }] }),
  cancelAttempt: (id) => handle(id).executeUpdate(cancelUpdate, { args: [{ what: 'ap_pay_none' }] }),
  cancelSession: (id) => handle(id).executeUpdate(cancelUpdate, { args: [{ what: 'session' }] }),
  resolve: (id) => handle(id).executeUpdate(resolveUpdate, { args: [request] }),
  railWebhook: (id) => handle(id).signal(railWebhookSignal, { attemptId: 'ap_pay_none' }),
};

/** Acceptable results: an answer, a refusal, or a run that had ended before the message arrived. */
const HEARD = ['answered', 'InvalidRequest', 'ResolveRefused', 'WorkflowNotFoundError'];
const reasonOf = (error: Error) => {
  const { cause } = error;
  if (error instanceof WorkflowNotFoundError) return error.name;
  return cause instanceof ApplicationFailure ? cause.type : String(cause ?? error);
};

const names = Object.keys(FIRST);
const pairs = names.flatMap((a, i) => names.slice(i).map((b) => [a, b] as const));

describe('the first task of a delayed session', () => {
  test('handles every update and every pair of updates, and each history can be replayed', async () => {
    const cases = [...names.map((name) => [name]), ...pairs];
    // Sent before a worker runs, so that they arrive together in the first task.
    const prepared = await Promise.all(
      cases.map(async (sends) => {
        const id = await world.session();
        const claimIds = sends.map(() => randomUUID());
        for (const claimId of claimIds) await world.storeClick(id, APPROVED, claimId);
        return { id, sends, claimIds };
      }),
    );
    const sessions = prepared.map(({ id, sends, claimIds }) => {
      const send = (name: string, i: number) => FIRST[name]?.(id, claimIds[i] ?? '');
      return { id, sends, sent: sends.map((name, i) => send(name, i)?.then(() => 'answered', reasonOf)) };
    });
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await world.startWorker();
    const histories = [];
    for (const { id, sends, sent } of sessions) {
      // A message in the session's last moment gets the final state; the run does not fail because of it.
      for (const heard of await Promise.all(sent)) expect(HEARD).toContain(heard);
      await handle(id)
        .executeUpdate(cancelUpdate, { args: [{ what: 'session' }] })
        .catch(() => {});
      await handle(id).result();
      histories.push({ workflowId: id, history: await handle(id).fetchHistory() });
      if (sends.length === 1) await keepHistory(handle(id), `checkout-first-${sends[0]}`);
    }
    await replayAll(histories);
  }, 180_000);
});
