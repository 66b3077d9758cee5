import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, readClock, sql } from '../../../db/core/pool.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { judgeAfterEnd, type Verdict } from '../../../db/payment/judge-after-end.ts';
import { type ReturnedBy, recordOrphanReturned } from '../../../db/payment/orphaned-charges.ts';
import type { AnswerDetails } from '../../../db/payment/rail-calls.ts';
import { storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { loadSessionView } from '../../../db/session/core/session-view.ts';
import { resolveSession } from '../../../db/session/resolve-session.ts';
import {
  expireSession,
  recordChallengeReturned,
  requestCancel,
} from '../../../db/session/session-commands.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import {
  APPROVED,
  answer,
  clickAccepted,
  DECLINED,
  letExpire,
  OTHER_AMOUNT,
  UNKNOWN,
} from '../../support/db/attempts.ts';
import { insertSession, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { insertSubscription } from '../../support/db/subscriptions.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
let checkoutId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
});
afterAll(() => database?.close());
beforeEach(async () => {
  shop = await insertShop(pool);
  checkoutId = (await insertSession(pool, shop, shop.products.oneTime)).id;
});

const facts = z.object({
  state: z.string(),
  failure_reason: z.string().nullable(),
  version: z.number(),
  payments: z.array(z.string()),
  order: z.string().nullable(),
  subscription: z.string().nullable(),
  invoices: z.array(z.object({ number: z.string(), status: z.string(), amount_due: z.number() })),
  events: z.array(z.string()),
  orphans: z.number(),
});

function look(id = checkoutId) {
  return pool.one(sql.type(facts)`
    select c.state, c.failure_reason, c.version,
      array(select status from payments where checkout_id = c.id order by attempt_no) as payments,
      (select status from orders where checkout_id = c.id) as order,
      (select status from subscriptions where checkout_id = c.id) as subscription,
      coalesce((select jsonb_agg(jsonb_build_object('number', i.number, 'status', i.status, 'amount_due', i.amount_due))
        from invoices i join orders o on o.id = i.order_id where o.checkout_id = c.id), '[]') as invoices,
      array(select type from events where merchant_id = c.merchant_id order by type) as events,
      (select count(*) from orphaned_charges where merchant_id = c.merchant_id) as orphans
    from checkouts c where c.id = ${id}
  `);
}

/** Details in the rail's format. */
const details = (values: Partial<AnswerDetails> = {}): AnswerDetails => ({
  railReference: 'ch_1',
  method: { type: 'card', brand: 'visa', last4: '4242' },
  mandate: null,
  challengeUrl: null,
  challengeSeconds: 600,
  ...values,
});
const storedDetails = (paymentId: string) =>
  pool.one(sql.unsafe`
    select rail_order_id, payment_method ->> 'last4' as last4, challenge_url, credential_secret_ref as mandate
    from payments where id = ${paymentId}`);

describe('the details of an answer', () => {
  const KEPT = { rail_order_id: 'ch_1', last4: '4242', challenge_url: null, mandate: null };

  test('are stored with a paid purchase', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, APPROVED, { details: details() });
    expect(await storedDetails(paymentId)).toEqual(KEPT);
  });

  test('are passed to the new subscription, which charges the mandate', async () => {
    const { id } = await insertSession(pool, shop, shop.products.recurring);
    const paymentId = await clickAccepted(pool, id);
    const mandate = Buffer.from('sealed');
    await answer(pool, id, paymentId, APPROVED, { details: details({ mandate }) });
    expect(await storedDetails(paymentId)).toEqual({ ...KEPT, mandate });
    const begun = sql.type(z.object({ mandate: z.instanceof(Buffer) }))`
      select credential_secret_ref as mandate from subscriptions where checkout_id = ${id}`;
    expect(await pool.oneFirst(begun)).toEqual(mandate);
  });

  test('are stored with a challenge and its URL', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    const challengeUrl = 'https://bank.example/3ds';
    const challenge: AttemptOutcome = { kind: 'challenge' };
    await answer(pool, checkoutId, paymentId, challenge, { details: details({ challengeUrl }) });
    expect(await storedDetails(paymentId)).toEqual({ ...KEPT, challenge_url: challengeUrl });
  });

  test('are stored while the outcome is pending, and for an attempt that has already ended', async () => {
    const first = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, first, { kind: 'pending' }, { details: details() });
    expect(await storedDetails(first)).toEqual(KEPT);
    await answer(pool, checkoutId, first, DECLINED);
    await answer(pool, checkoutId, first, APPROVED, { details: details({ railReference: 'ch_2' }) });
    expect(await storedDetails(first)).toMatchObject({ rail_order_id: 'ch_2' });
  });
});

describe('the result of recording an outcome', () => {
  const read = async () => ({ ...(await loadSessionView(pool, checkoutId)), msToExpiry: 0 });

  test.each([
    ['paid', 3, APPROVED],
    ['out of attempts', 1, DECLINED],
  ])('is the ended session as its workflow would read it (%s)', async (_, most, outcome) => {
    await pool.query(sql.unsafe`update checkouts set max_attempts = ${most} where id = ${checkoutId}`);
    const ended = await answer(pool, checkoutId, await clickAccepted(pool, checkoutId), outcome);
    expect(ended).not.toBeNull();
    expect({ ...ended, msToExpiry: 0 }).toEqual(await read());
    expect(ended?.msToExpiry).toBeGreaterThan(0);
  });

  test('is empty while the session continues', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    expect(await answer(pool, checkoutId, paymentId, UNKNOWN)).toBeNull();
    expect(await answer(pool, checkoutId, paymentId, DECLINED)).toBeNull();
  });
});

describe('an answer about another session’s attempt', () => {
  test('changes neither session, and stores no details', async () => {
    const other = (await insertSession(pool, shop, shop.products.oneTime)).id;
    const [mine, theirs] = [await clickAccepted(pool, checkoutId), await clickAccepted(pool, other)];
    const before = [await look(), await look(other), await storedDetails(mine), await storedDetails(theirs)];
    expect(await answer(pool, checkoutId, theirs, APPROVED, { details: details() })).toBeNull();
    await answer(pool, checkoutId, theirs, DECLINED);
    expect([await look(), await look(other), await storedDetails(mine), await storedDetails(theirs)]).toEqual(
      before,
    );
  });
});

describe('an approval', () => {
  test('completes session, payment, order and invoice, with their events, in one transaction', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, APPROVED);
    expect(await look()).toEqual({
      state: 'succeeded',
      failure_reason: null,
      version: 3,
      payments: ['succeeded'],
      order: 'completed',
      subscription: null,
      invoices: [{ number: `${new Date().getUTCFullYear()}-000001`, status: 'created', amount_due: 0 }],
      events: ['invoice.created', 'payment.succeeded'],
      orphans: 0,
    });
  });

  test('names the session, its reference and the charge in every event', async () => {
    await pool.query(
      sql.unsafe`update checkouts set merchant_reference = 'cart-17' where id = ${checkoutId}`,
    );
    const declined = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, declined, { kind: 'declined', code: 'card_declined', retryable: true });
    await answer(pool, checkoutId, await clickAccepted(pool, checkoutId), APPROVED);
    const about = z.object({ type: z.string(), checkout: z.unknown(), charge: z.unknown() });
    const told = await pool.any(sql.type(about)`
      select type, body::jsonb -> 'checkout' as checkout, body::jsonb -> 'charge' as charge from events
      where merchant_id = (select merchant_id from checkouts where id = ${checkoutId}) order by type`);
    const checkout = { id: checkoutId, merchant_reference: 'cart-17' };
    const charge = { amount: 1_900, currency: 'EUR', failure_code: null };
    expect(told).toEqual([
      { type: 'invoice.created', checkout, charge },
      { type: 'payment.failed', checkout, charge: { ...charge, failure_code: 'card_declined' } },
      { type: 'payment.succeeded', checkout, charge },
    ]);
  });

  test('changes nothing when it is recorded again', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, APPROVED);
    const once = await look();
    await answer(pool, checkoutId, paymentId, APPROVED);
    expect(await look()).toEqual(once);
  });

  test('starts a monthly subscription whose period ends a month later, with invoice and events', async () => {
    const id = (await insertSession(pool, shop, shop.products.recurring)).id;
    await answer(pool, id, await clickAccepted(pool, id), APPROVED);
    const seen = await look(id);
    expect(seen).toMatchObject({ state: 'succeeded', subscription: 'active', invoices: [{ amount_due: 0 }] });
    expect(seen.events).toEqual(['invoice.created', 'payment.succeeded', 'subscription.created']);
  });

  test('starts a trial with a payment of 0 cents: no payment.succeeded and no invoice', async () => {
    const id = (await insertSession(pool, shop, shop.products.trial)).id;
    await answer(pool, id, await clickAccepted(pool, id), APPROVED);
    const seen = await look(id);
    expect(seen).toMatchObject({ state: 'succeeded', subscription: 'trialing', invoices: [] });
    expect(seen.events).toEqual(['subscription.created']);
    const days = await pool.oneFirst(sql.type(z.object({ days: z.number() }))`
      select extract(day from trial_end - trial_start) as days from subscriptions where checkout_id = ${id}
    `);
    expect(days).toBe(14);
  });

  test.each([
    ['the requested', APPROVED],
    ['another', OTHER_AMOUNT],
  ])(
    'of %s amount for an attempt that has ended is an orphaned charge with an alert, without payment.succeeded',
    async (_which, late) => {
      const paymentId = await clickAccepted(pool, checkoutId);
      await answer(pool, checkoutId, paymentId, { kind: 'cancelled' });
      await answer(pool, checkoutId, paymentId, late);
      await answer(pool, checkoutId, paymentId, late);
      expect(await look()).toMatchObject({
        state: 'created',
        payments: ['cancelled'],
        events: ['billing.operational_alert', 'payment.failed'],
        orphans: 1,
      });
    },
  );
});

describe('an unanswered call', () => {
  test('is not a failure: the session stays in processing and cannot be paid again', async () => {
    await answer(pool, checkoutId, await clickAccepted(pool, checkoutId), UNKNOWN);
    expect(await look()).toMatchObject({ state: 'processing', payments: ['processing'], events: [] });
  });

  test('needs an operator once the quick look-ups are used up, and raises one alert', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, UNKNOWN, { lookupTimeUp: true });
    await answer(pool, checkoutId, paymentId, UNKNOWN, { lookupTimeUp: true });
    expect(await look()).toMatchObject({
      state: 'reconciliation_required',
      events: ['billing.operational_alert'],
    });
  });

  test.each([UNKNOWN, { kind: 'pending' } as const, { kind: 'challenge' } as const])(
    'stays with the operator if a run that predates the alert records %j',
    async (outcome) => {
      const paymentId = await clickAccepted(pool, checkoutId);
      await answer(pool, checkoutId, paymentId, UNKNOWN, { lookupTimeUp: true });
      await answer(pool, checkoutId, paymentId, outcome, { lookupTimeUp: false });
      expect(await look()).toMatchObject({
        state: 'reconciliation_required',
        payments: ['processing'],
        events: ['billing.operational_alert'],
      });
    },
  );

  test('leaves the decision to the rail: a decline before expiry makes the session payable again', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, UNKNOWN, { lookupTimeUp: true });
    await answer(pool, checkoutId, paymentId, DECLINED, { lookupTimeUp: true });
    expect(await look()).toMatchObject({ state: 'created', payments: ['failed'] });
  });
});

describe('a challenge', () => {
  test('waits for the buyer, then moves through processing to succeeded once the rail approves', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, { kind: 'challenge' });
    expect(await look()).toMatchObject({ state: 'requires_action', payments: ['requires_action'] });
    await recordChallengeReturned(pool, checkoutId, paymentId);
    expect(await look()).toMatchObject({ state: 'processing', payments: ['processing'] });
    await answer(pool, checkoutId, paymentId, APPROVED);
    expect(await look()).toMatchObject({ state: 'succeeded', payments: ['succeeded'] });
  });

  test.each([APPROVED, DECLINED, UNKNOWN, { kind: 'cancelled' } as const])(
    'accepts the rail’s answer %j to a cancel while in requires_action',
    async (outcome) => {
      const paymentId = await clickAccepted(pool, checkoutId);
      await answer(pool, checkoutId, paymentId, { kind: 'challenge' });
      await answer(pool, checkoutId, paymentId, outcome, { lookupTimeUp: true });
      const expected = {
        approved: 'succeeded',
        declined: 'created',
        cancelled: 'created',
        unknown: 'reconciliation_required',
      };
      expect((await look()).state).toBe(expected[outcome.kind as keyof typeof expected]);
    },
  );
});

test('a return from the challenge of an earlier attempt, or of another session, changes nothing', async () => {
  const earlier = await clickAccepted(pool, checkoutId);
  await answer(pool, checkoutId, earlier, DECLINED);
  const open = await clickAccepted(pool, checkoutId);
  await answer(pool, checkoutId, open, { kind: 'challenge' });
  const { id } = await insertSession(pool, shop, shop.products.oneTime);
  const foreign = await clickAccepted(pool, id);
  const before = await look();
  for (const paymentId of [earlier, foreign]) {
    await recordChallengeReturned(pool, checkoutId, paymentId);
    expect(await look()).toEqual(before);
  }
  await recordChallengeReturned(pool, checkoutId, open);
  expect((await look()).state).toBe('processing');
});

describe('the end of a session', () => {
  test('does not happen before expires_at', async () => {
    await expireSession(pool, checkoutId);
    expect(await look()).toMatchObject({ state: 'created' });
  });

  test('happens at expires_at, without an event if there was no attempt', async () => {
    await letExpire(pool, checkoutId);
    await expireSession(pool, checkoutId);
    expect(await look()).toMatchObject({ state: 'failed', failure_reason: 'expired', events: [] });
  });

  test('never overrides an open attempt: only the rail’s answer ends it', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await letExpire(pool, checkoutId);
    await expireSession(pool, checkoutId);
    expect(await look()).toMatchObject({ state: 'processing' });
    await answer(pool, checkoutId, paymentId, APPROVED, { lookupTimeUp: true });
    expect(await look()).toMatchObject({ state: 'succeeded' });
  });

  test('requested by the buyer is immediate without an attempt, and otherwise waits for the rail to cancel', async () => {
    const other = (await insertSession(pool, shop, shop.products.recurring)).id;
    await requestCancel(pool, other, 'session');
    expect(await look(other)).toMatchObject({ state: 'failed', failure_reason: 'cancelled' });

    const paymentId = await clickAccepted(pool, checkoutId);
    await requestCancel(pool, checkoutId, 'session');
    expect(await look()).toMatchObject({ state: 'processing' });
    await answer(pool, checkoutId, paymentId, { kind: 'cancelled' });
    expect(await look()).toMatchObject({ state: 'failed', failure_reason: 'cancelled', order: 'cancelled' });
  });

  test('expires the incomplete subscription', async () => {
    const id = (await insertSession(pool, shop, shop.products.recurring, { maxAttempts: 1 })).id;
    await answer(pool, id, await clickAccepted(pool, id), DECLINED);
    expect(await look(id)).toMatchObject({ state: 'failed', subscription: 'expired', order: 'failed' });
  });
});

describe('an operator', () => {
  const request = { outcome: 'failed', operator: 'op', reason: 'r', evidence: 'e' } as const;

  test('settles with an audit row in the same transaction', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, UNKNOWN, { lookupTimeUp: true });
    const { version } = await look();
    await resolveSession(pool, { checkoutId, paymentId, version, request });
    expect(await look()).toMatchObject({
      state: 'failed',
      failure_reason: 'resolved_by_operator',
      payments: ['failed'],
    });
    const audited = await pool.oneFirst(sql.type(z.object({ n: z.number() }))`
      select count(*) as n from audit_log where subject_id = ${checkoutId} and actor = 'temporal-ui:op'
    `);
    expect(audited).toBe(1);
  });

  test('changes nothing if the session has changed since it was read', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, UNKNOWN, { lookupTimeUp: true });
    const { version } = await look();
    await resolveSession(pool, { checkoutId, paymentId, version: version - 1, request });
    expect(await look()).toMatchObject({ state: 'reconciliation_required', version });
  });

  test('changes nothing once the attempt has ended and the buyer has tried again', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, DECLINED);
    await clickAccepted(pool, checkoutId);
    const before = await look();
    const { version } = before;
    expect(await resolveSession(pool, { checkoutId, paymentId, version, request })).toBe(false);
    expect(await look()).toEqual(before);
  });

  describe('with a request that was lost in a restore', () => {
    const gone = { outcome: 'failed', requestId: 'ap_res_gone' } as const;

    test('changes nothing, so that a person must decide again', async () => {
      const paymentId = await clickAccepted(pool, checkoutId);
      await answer(pool, checkoutId, paymentId, UNKNOWN, { lookupTimeUp: true });
      const { version } = await look();
      expect(await resolveSession(pool, { checkoutId, paymentId, version, request: gone })).toBe(false);
      expect(await look()).toMatchObject({ state: 'reconciliation_required', version });
    });

    test('does not prevent recording a later answer from the rail', async () => {
      const paymentId = await clickAccepted(pool, checkoutId);
      await answer(pool, checkoutId, paymentId, UNKNOWN, { lookupTimeUp: true });
      await answer(pool, checkoutId, paymentId, { kind: 'cancelled' }, { resolution: gone });
      expect(await look()).toMatchObject({ state: 'created', payments: ['cancelled'] });
    });
  });
});

describe('a rail webhook after the end', () => {
  // The rail is queried again while the buyer may still pass the challenge.
  test.each<[AttemptOutcome, Verdict, boolean]>([
    [DECLINED, 'contradicts', false],
    [{ kind: 'challenge' }, 'unknown', true],
  ])(
    'that contradicts a succeeded payment (%j) changes nothing and raises one alert',
    async (outcome, verdict, isAskedAgain) => {
      const paymentId = await clickAccepted(pool, checkoutId);
      await answer(pool, checkoutId, paymentId, APPROVED);
      for (const alerted of [true, false]) {
        expect(await judge(paymentId, outcome)).toEqual({ verdict, alerted });
        expect(await unheard(paymentId)).toBe(isAskedAgain);
      }
      expect(await look()).toMatchObject({
        state: 'succeeded',
        payments: ['succeeded'],
        events: ['billing.operational_alert', 'invoice.created', 'payment.succeeded'],
      });
    },
  );

  test('that ends a challenge of a succeeded payment raises another alert', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, APPROVED);
    await judge(paymentId, { kind: 'challenge' });
    expect(await judge(paymentId, DECLINED)).toEqual({ verdict: 'contradicts', alerted: true });
  });

  test.each(['succeeded', 'partially_refunded', 'refunded'])(
    'that confirms a %s payment lists no orphaned charge',
    async (status) => {
      const paymentId = await clickAccepted(pool, checkoutId);
      await answer(pool, checkoutId, paymentId, APPROVED);
      await pool.query(sql.unsafe`update payments set status = ${status} where id = ${paymentId}`);
      expect(await judge(paymentId, APPROVED)).toEqual({ verdict: 'agrees', alerted: false });
      expect(await look()).toMatchObject({ payments: [status], orphans: 0 });
    },
  );

  test('about an orphaned charge whose unanswered cancel took effect closes the orphan', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, { kind: 'cancelled' });
    expect(await judge(paymentId, APPROVED)).toMatchObject({ verdict: 'orphaned' });
    expect(await judge(paymentId, { kind: 'cancelled' })).toEqual({ verdict: 'returned', alerted: false });
    expect(await isOpenOrphan(paymentId)).toBe(false);
  });

  test('leaves an orphaned charge open if the rail does not find it: notFound is not an answer (rule 4)', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, { kind: 'cancelled' });
    await judge(paymentId, APPROVED);
    expect(await judge(paymentId, { kind: 'notFound' })).toEqual({ verdict: 'unknown', alerted: false });
    expect(await isOpenOrphan(paymentId)).toBe(true);
  });

  test.each([
    [false, true, true],
    [true, true, true],
    [false, false, false],
    [true, false, false],
  ])(
    'about a payment that the rail cannot find (paid here: %s, within the rail’s lag: %s) is looked up again: %s',
    async (isPaid, isEarly, isAskedAgain) => {
      const paymentId = await clickAccepted(pool, checkoutId);
      await answer(pool, checkoutId, paymentId, isPaid ? APPROVED : { kind: 'cancelled' });
      const { verdict, alerted } = await judge(paymentId, { kind: 'notFound' }, isEarly);
      expect({ isAskedAgain: verdict === 'unknown', alerted }).toEqual({
        isAskedAgain,
        alerted: isPaid && !isEarly,
      });
    },
  );

  test('that reports a cancelled orphan as approved reopens it, with an alert each time', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, { kind: 'cancelled' });
    await judge(paymentId, APPROVED);
    const { events } = await look();
    for (let times = 1; times <= 2; times++) {
      expect(await judge(paymentId, { kind: 'cancelled' })).toMatchObject({ verdict: 'returned' });
      for (const alerted of [true, false])
        expect(await judge(paymentId, APPROVED)).toEqual({ verdict: 'orphaned', alerted });
      expect(await isOpenOrphan(paymentId)).toBe(true);
      const alerts = events.length + times;
      expect((await look()).events).toHaveLength(alerts);
    }
  });

  test('about a cancelled charge of 0 cents lists no orphan, because its approval moved no money', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await pool.query(sql.unsafe`update payments set amount = 0 where id = ${paymentId}`);
    await answer(pool, checkoutId, paymentId, { kind: 'cancelled' });
    await answer(pool, checkoutId, paymentId, APPROVED);
    expect(await recordOrphanReturned(pool, paymentId, 'cancel')).toBe(true);
    const { events } = await look();
    await answer(pool, checkoutId, paymentId, APPROVED);
    expect(await isOpenOrphan(paymentId)).toBe(false);
    expect((await look()).events).toEqual(events);
  });

  test.each<AttemptOutcome>([DECLINED, { kind: 'challenge' }])(
    'about a change of method that failed for lack of a mandate raises no alert ($kind)',
    async (outcome) => {
      const paymentId = await clickAccepted(pool, checkoutId);
      const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
      await answer(pool, checkoutId, paymentId, APPROVED);
      await pool.query(sql.unsafe`
        update checkouts set subscription_id = ${subscriptionId}, purpose = 'method_change', state = 'failed',
          failure_reason = 'resolved_by_operator' where id = ${checkoutId}`);
      expect(await judge(paymentId, outcome)).toMatchObject({ alerted: false });
    },
  );

  test('about an open attempt is left to its workflow', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    for (const outcome of [APPROVED, DECLINED]) {
      expect(await judge(paymentId, outcome)).toEqual({ verdict: 'open', alerted: false });
    }
    expect(await look()).toMatchObject({ payments: ['processing'], events: [], orphans: 0 });
    expect(await unheard(paymentId)).toBe(true);
  });

  test.each<AttemptOutcome>([UNKNOWN, { kind: 'pending' }, { kind: 'challenge' }])(
    'is not applied while the rail answers $kind',
    async (outcome) => {
      const paymentId = await clickAccepted(pool, checkoutId);
      await answer(pool, checkoutId, paymentId, { kind: 'cancelled' });
      expect(await judge(paymentId, outcome)).toEqual({ verdict: 'unknown', alerted: false });
      expect(await unheard(paymentId)).toBe(true);
    },
  );

  test('about a payment whose row is lost changes nothing', async () => {
    const answered = { paymentId: 'ap_pay_lost', outcome: APPROVED, isEarly: false };
    expect(await judgeAfterEnd(pool, { ...answered, askedAt: await readClock(pool) })).toEqual({
      verdict: 'rowNotFound',
      alerted: false,
    });
  });

  test.each<{ by: ReturnedBy; amount: number; verdict: Verdict }>([
    { by: 'refund', amount: 1900, verdict: 'returned' },
    { by: 'operator', amount: 1900, verdict: 'returned' },
    { by: 'cancel', amount: 0, verdict: 'returned' },
    // The cancel did not hold: the charge is at the rail again.
    { by: 'cancel', amount: 1900, verdict: 'orphaned' },
  ])('about an orphan of $amount cents returned by $by is $verdict', async ({ by, amount, verdict }) => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await pool.query(sql.unsafe`update payments set amount = ${amount} where id = ${paymentId}`);
    await answer(pool, checkoutId, paymentId, { kind: 'cancelled' });
    await answer(pool, checkoutId, paymentId, APPROVED);
    await recordOrphanReturned(pool, paymentId, by);
    expect(await judge(paymentId, APPROVED)).toEqual({ verdict, alerted: verdict === 'orphaned' });
    expect(await unheard(paymentId)).toBe(false);
    expect(await isOpenOrphan(paymentId)).toBe(verdict === 'orphaned');
  });

  test('lists a charge for a declined attempt, and records that a cancel returned it', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, DECLINED);
    expect(await judge(paymentId, APPROVED)).toEqual({ verdict: 'orphaned', alerted: true });
    expect(await judge(paymentId, { kind: 'cancelled' })).toEqual({ verdict: 'returned', alerted: false });
    expect(await isOpenOrphan(paymentId)).toBe(false);
  });

  test('lists a charge for a declined attempt if its own call reports it', async () => {
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, DECLINED);
    await answer(pool, checkoutId, paymentId, APPROVED);
    expect(await isOpenOrphan(paymentId)).toBe(true);
  });

  /** A look-up caused by a webhook. */
  async function judge(paymentId: string, outcome: AttemptOutcome, isEarly = false) {
    const { railAccountId } = shop;
    await storeRailWebhook(pool, {
      railAccountId,
      railEventId: paymentId,
      reference: paymentId,
      hint: 'approved',
    });
    // `readClock` omits microseconds, so that within a millisecond the webhook would be later.
    await pool.query(sql.unsafe`
      update rail_webhooks set received_at = received_at - interval '1 second' where rail_event_id = ${paymentId}`);
    return judgeAfterEnd(pool, { paymentId, outcome, askedAt: await readClock(pool), isEarly });
  }

  function isOpenOrphan(paymentId: string): Promise<boolean> {
    return pool.exists(sql.unsafe`
      select from orphaned_charges where payment_id = ${paymentId} and returned_at is null`);
  }

  function unheard(paymentId: string): Promise<boolean> {
    return pool.exists(sql.unsafe`
      select from rail_webhooks where reference = ${paymentId} and applied_at is null`);
  }
});

describe('invoice numbers', () => {
  test('have neither gaps nor duplicates, with concurrent payments and rollbacks', async () => {
    const ids = await Promise.all(
      Array.from({ length: 8 }, async () => (await insertSession(pool, shop, shop.products.oneTime)).id),
    );
    await Promise.all(ids.map(async (id) => answer(pool, id, await clickAccepted(pool, id), APPROVED)));
    const rolledBack = (await insertSession(pool, shop, shop.products.oneTime)).id;
    const paymentId = await clickAccepted(pool, rolledBack);
    await pool.query(sql.unsafe`
      create function lose() returns trigger language plpgsql as $$ begin raise exception 'lost'; end $$`);
    await pool.query(sql.unsafe`
      create constraint trigger lose after insert on invoices deferrable initially deferred
      for each row execute function lose()`);
    await expect(answer(pool, rolledBack, paymentId, APPROVED)).rejects.toThrow();
    await pool.query(sql.unsafe`drop trigger lose on invoices`);
    const last = (await insertSession(pool, shop, shop.products.oneTime)).id;
    await answer(pool, last, await clickAccepted(pool, last), APPROVED);
    const numbers = await pool.anyFirst(sql.type(z.object({ number: z.string() }))`
      select number from invoices where merchant_id = ${shop.merchantId} order by split_part(number, '-', 2)::integer
    `);
    expect(numbers.map((number) => Number(number.slice(5)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

test('a declined card is counted once, with its click’s address; an approved card is not counted', async () => {
  const counted = () =>
    pool.any(sql.type(z.object({ merchant_id: z.string(), address: z.string().nullable() }))`
      select merchant_id, encode(address, 'escape') as address from card_declines where merchant_id = ${shop.merchantId}`);
  const declined = await clickAccepted(pool, checkoutId);
  await pool.query(sql.unsafe`update clicks set address = 'here' where checkout_id = ${checkoutId}`);
  for (let times = 0; times < 2; times++) await answer(pool, checkoutId, declined, DECLINED);
  expect(await counted()).toEqual([{ merchant_id: shop.merchantId, address: 'here' }]);
  await answer(pool, checkoutId, await clickAccepted(pool, checkoutId), APPROVED);
  expect(await counted()).toHaveLength(1);
  const addresses = await pool.anyFirst(sql.type(z.object({ address: z.instanceof(Buffer).nullable() }))`
    select address from clicks where checkout_id = ${checkoutId} and address is not null`);
  expect(addresses).toEqual([]);
});

test('a charge that could not be processed is not counted as a declined card', async () => {
  const { id } = await insertSession(pool, shop, shop.products.oneTime);
  await answer(pool, id, await clickAccepted(pool, id), {
    kind: 'declined',
    code: 'processing_error',
    retryable: true,
  });
  expect(
    await pool.exists(sql.unsafe`select from card_declines where merchant_id = ${shop.merchantId}`),
  ).toBe(false);
});

test('a declined card is counted by its fingerprint, at its merchant', async () => {
  const declines = { perAddress: 0, perClient: 0, perMerchant: 0, perCard: 2 };
  const other = await insertShop(pool);
  const decline = async (card: string, seller = shop) => {
    const { id } = await insertSession(pool, seller, seller.products.oneTime);
    const given = { declines, details: details({ card: Buffer.from(card) }) };
    await answer(pool, id, await clickAccepted(pool, id), DECLINED, given);
  };
  await decline('one');
  await decline('another');
  await decline('one', other);
  const passed = sql.type(z.object({ card: z.string(), passed: z.string().nullable() }))`
    select encode(card, 'escape') as card, passed from card_declines where merchant_id = ${shop.merchantId} order by id`;
  expect(await pool.any(passed)).toEqual([
    { card: 'one', passed: null },
    { card: 'another', passed: null },
  ]);
  await decline('one');
  expect((await pool.any(passed))[2]).toEqual({ card: 'one', passed: 'card' });
});

test('a decline above a limit opens an incident for its merchant, who gets one alert per series of declines', async () => {
  const declines = { perAddress: 2, perClient: 0, perMerchant: 0, perCard: 0 };
  const found = () => listIncidents(pool, { kinds: ['card_testing'], merchantId: shop.merchantId });
  const told = () =>
    pool.anyFirst(sql.type(z.object({ alert: z.unknown() }))`
      select body::jsonb -> 'alert' as alert from events
      where merchant_id = ${shop.merchantId} and type = 'billing.operational_alert'`);
  const decline = async (seller = shop) => {
    const { id } = await insertSession(pool, seller, seller.products.oneTime);
    const paymentId = await clickAccepted(pool, id);
    await pool.query(sql.unsafe`update clicks set address = 'tester' where checkout_id = ${id}`);
    await answer(pool, id, paymentId, DECLINED, { declines });
  };
  const passTime = (minutes: number) =>
    pool.query(sql.unsafe`
      update card_declines set at = at - ${minutes} * interval '1 minute',
        passing_since = passing_since - ${minutes} * interval '1 minute'`);

  // Declines from the same address at another merchant open no incident here.
  const other = await insertShop(pool);
  for (let times = 0; times < 2; times++) await decline(other);
  await decline();
  expect([await found(), await told()]).toEqual([[], []]);
  await decline();
  const alert = { code: 'card_testing', reference: shop.merchantId };
  expect(await told()).toEqual([alert]);
  await passTime(9);
  await decline();
  expect(await told()).toEqual([alert]);
  expect(await found()).toMatchObject([
    { id: shop.merchantId, reason: 'cards declined in ten minutes: 3; above a limit by address' },
  ]);
  expect((await found())[0]?.age_seconds).toBeGreaterThanOrEqual(9 * 60);
  await passTime(11);
  expect(await found()).toEqual([]);
  await decline();
  expect(await found()).toEqual([]);
  await decline();
  expect(await told()).toEqual([alert, alert]);
});
