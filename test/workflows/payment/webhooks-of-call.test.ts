/** A webhook that arrives during a call to the rail (rule 38). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const APPROVED = '4242424242424242';
/** Longer than the test waits. */
const LOOK_UP_LATE = { reconcileSeconds: [60], reconcileLongSeconds: [60] };

let world: SessionWorld;
let duringCall: ((paymentId: string) => Promise<void>) | undefined;
let answerIsLost = false;

beforeAll(async () => {
  world = await createSessionWorld({
    timings: LOOK_UP_LATE,
    wrapRail: (rail) => ({
      ...rail,
      async authorize(request) {
        const outcome = await rail.authorize(request);
        await duringCall?.(request.reference);
        return answerIsLost ? { kind: 'unknown', reason: 'connection_lost' } : outcome;
      },
    }),
  });
  await world.startWorker();
});
afterAll(() => world?.close());

async function hear(reference: string): Promise<void> {
  await storeRailWebhook(world.pool, {
    railAccountId: world.shop.railAccountId,
    railEventId: randomUUID(),
    reference,
    hint: 'approved',
  });
}

async function signalsOf(sessionId: string): Promise<number> {
  const { events } = await world.client.workflow.getHandle(sessionId).fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
}

describe('a webhook', () => {
  test('triggers a look-up immediately when the call ends without an answer', async () => {
    duringCall = hear;
    answerIsLost = true;
    const id = await world.session();
    await world.pay(id, APPROVED);
    await world.until(id, 'succeeded');
    expect(await signalsOf(id)).toBe(1);
  });

  test("triggers no look-up if the call's answer settles the charge", async () => {
    duringCall = hear;
    answerIsLost = false;
    const id = await world.session();
    await world.pay(id, APPROVED);
    await world.until(id, 'succeeded');
    expect(await signalsOf(id)).toBe(0);
    const open = await world.pool.oneFirst(
      sql.type(z.object({ n: z.number() }))`select count(*) as n from rail_webhooks where applied_at is null`,
    );
    expect(open).toBe(0);
  });
});
