/**
 * A webhook about a payment with a call in progress is not passed on: the answer to the call settles the
 * payment (rule 38).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkflowNotFoundError } from '@temporalio/client';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { paymentsWithUnappliedWebhooks } from '../../../db/payment/unapplied-webhooks.ts';
import type { Rail } from '../../../rail/rail.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/core/eventually.ts';
import { clickAccepted } from '../../support/db/attempts.ts';
import { insertSession, insertShop, type Shop } from '../../support/db/fixtures.ts';

const rail: Pick<Rail, 'name' | 'parseWebhook'> = {
  name: 'sandbox',
  parseWebhook: (_account, rawBody) => {
    const [railEventId = '', reference = ''] = String(rawBody).split(' of ');
    return { railEventId, reference, hint: 'approved' };
  },
};

let api: TestApi;
let shop: Shop;
let checkoutId: string;
let paymentId: string;

beforeAll(async () => {
  api = await startTestApi({ rails: new Map([['sandbox', rail as Rail]]) });
  shop = await insertShop(api.pool);
  ({ id: checkoutId } = await insertSession(api.pool, shop, shop.products.oneTime));
  paymentId = await clickAccepted(api.pool, checkoutId);
});
afterAll(() => api?.stop());

/** Counts signals to the session's run. The session has no run until the first signal starts one. */
async function passedOn(): Promise<number> {
  try {
    const { events } = await api.temporal.workflow.getHandle(checkoutId).fetchHistory();
    return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 0;
    throw error;
  }
}

async function hear(railEventId: string): Promise<void> {
  const raw = `${railEventId} of ${paymentId}`;
  const { status } = await api.request('POST', `/rails/sandbox/${shop.railAccountId}/webhooks`, { raw });
  expect(status).toBe(200);
}

async function begin(deadlineInSeconds: number): Promise<void> {
  await api.pool.query(sql.unsafe`
    update payments set call_started_at = service_clock() - interval '30 seconds',
      call_deadline = service_clock() + ${deadlineInSeconds}::float8 * interval '1 second'
    where id = ${paymentId}`);
  await api.pool.query(
    sql.unsafe`update rail_webhooks set received_at = service_clock() - interval '6 seconds'`,
  );
}

describe('a webhook', () => {
  test('is passed on once the call’s deadline has passed', async () => {
    await begin(-1);
    await hear('late');
    await eventually(async () => expect(await passedOn()).toBe(1));
    expect(await paymentsWithUnappliedWebhooks(api.pool, 10)).toEqual([]);
    await begin(-1);
    expect(await paymentsWithUnappliedWebhooks(api.pool, 10)).toMatchObject([{ paymentId, open: true }]);
  });

  test('is stored but not passed on while a call may be in progress', async () => {
    await begin(60);
    const before = await passedOn();
    await hear('early');
    await begin(-1);
    await hear('late again');
    await eventually(async () => expect(await passedOn()).toBe(before + 1));
    // By now "early" has had more than enough time to be passed on.
    await pause(300);
    expect(await passedOn()).toBe(before + 1);
    const waiting = await api.pool.anyFirst(
      sql.type(z.object({ rail_event_id: z.string() }))`
        select rail_event_id from rail_webhooks where applied_at is null order by rail_event_id`,
    );
    expect(waiting).toEqual(['early', 'late', 'late again']);
    await begin(60);
    expect(await paymentsWithUnappliedWebhooks(api.pool, 10)).toEqual([]);
  });
});
