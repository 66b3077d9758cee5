/**
 * A rail that fails as a whole: one incident, new attempts are rejected, look-ups continue, one attempt at a time
 * probes it.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { takeProbeSlotOrWait } from '../../../db/payment/rail-admission.ts';
import { railAnswersAbout } from '../../../db/payment/rail-answers.ts';
import { findBreakerTarget, resumeRail } from '../../../db/payment/rail-breaker.ts';
import { createSession } from '../../../db/session/create-session.ts';
import { createPageToken } from '../../../platform/secrets/page-token.ts';
import { eventually } from '../../support/core/eventually.ts';
import { testSecretBox } from '../../support/db/fixtures.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const GOOD_CARD = '4242424242424242';

let world: SessionWorld;

beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterAll(() => world?.close());

const account = () => ({
  id: world.shop.railAccountId,
  rail: 'sandbox',
  environment: world.shop.environment,
  status: 'active' as const,
});
const breakers = () =>
  world.pool.any(sql.type(z.object({ scope: z.string(), state: z.string() }))`
    select scope, state from rail_breakers where state <> 'closed' order by scope`);
const failures = () =>
  world.pool.anyFirst(sql.type(z.object({ failures: z.number() }))`
    select failures from rail_breakers where state = 'open'`);
const unavailable = () => listIncidents(world.pool, { kinds: ['rail_unavailable'] });

function refusalOfNewSession() {
  const { shop } = world;
  return createSession(world.pool, {
    scope: shop,
    source: 'checkout',
    productId: shop.products.oneTime,
    externalCustomerId: null,
    buyer: { email: null, party: null },
    amount: null,
    quantity: null,
    preselectedMethod: null,
    locale: null,
    merchantReference: null,
    pageToken: createPageToken(testSecretBox, 'ap_chk_'),
    successUrl: null,
    failUrl: null,
    lifetimeSeconds: 60,
    maxAttempts: 5,
    railNames: ['sandbox'],
  });
}

test('a rail that answers no attempt trips the breaker once, and look-ups continue', async () => {
  const sessions = await Promise.all(Array.from({ length: 6 }, () => world.session()));
  world.faults.add({ operation: 'authorize', mode: '500', count: 100, delayMs: 0 });
  await Promise.all(sessions.map((id) => world.pay(id, GOOD_CARD)));
  await eventually(async () => expect(await breakers()).toHaveLength(1));

  expect(await unavailable()).toMatchObject([
    {
      id: world.shop.railAccountId,
      reason: expect.stringMatching(/^attempts fail with server_error; next probe at /),
    },
  ]);
  expect(await takeProbeSlotOrWait(world.pool, account())).toBeGreaterThan(20);
  expect(await refusalOfNewSession()).toMatchObject({
    refusal: 'payment_rail_unavailable',
    rail_out_seconds: expect.any(Number),
  });
  // Calls in flight are looked up and ended at the rail.
  await Promise.all(sessions.map((id) => world.until(id, 'created')));
  const [payment] = await world.payments(sessions[0] ?? '');
  const answers = await railAnswersAbout(world.pool, [payment?.id ?? ''], 10);
  expect(answers.at(-1)).toMatchObject({ operation: 'authorize', outcome: 'unknown', code: 'server_error' });
  expect(answers.map(({ operation }) => operation)).toContain('lookup');
});

test('a half-open breaker lets one attempt through at a time: a failure prolongs the wait, an answer ends it', async () => {
  const letItTry = () => world.pool.query(sql.unsafe`update rail_breakers set retry_at = service_clock()`);
  await letItTry();
  const asked = await Promise.all(
    Array.from({ length: 5 }, () => takeProbeSlotOrWait(world.pool, account())),
  );
  expect(asked.filter((wait) => wait === null)).toHaveLength(1);

  await world.pay(await openSession(), GOOD_CARD);
  await eventually(async () => expect(await failures()).toEqual([1]));
  expect(await takeProbeSlotOrWait(world.pool, account())).toBeGreaterThan(45);
  expect(await unavailable()).toMatchObject([
    { reason: expect.stringContaining('; failed probes: 1; next') },
  ]);

  world.faults.clear();
  await letItTry();
  const paid = await openSession();
  expect(await takeProbeSlotOrWait(world.pool, account())).toBeNull();
  await world.pay(paid, GOOD_CARD);
  await world.until(paid, 'succeeded');
  expect(await breakers()).toEqual([]);
  expect(await unavailable()).toEqual([]);
  expect(await takeProbeSlotOrWait(world.pool, account())).toBeNull();
});

test('an operator can close the breaker, which leaves an audit row', async () => {
  await world.pool.query(sql.unsafe`
    update rail_breakers set state = 'open', retry_at = service_clock() + interval '1 hour'`);
  expect(await takeProbeSlotOrWait(world.pool, account())).toBeGreaterThan(3_000);
  const target = await findBreakerTarget(world.pool, world.shop.railAccountId);
  if (!target) throw new Error('no account');
  const by = { actor: 'person:ada', reason: 'the rail has recovered' };
  expect(await resumeRail(world.pool, target, by)).toBe(true);
  expect(await resumeRail(world.pool, target, by)).toBe(false);
  expect(await takeProbeSlotOrWait(world.pool, account())).toBeNull();
  expect(
    await world.pool.any(
      sql.unsafe`select actor, action from audit_log where subject_id = ${world.shop.railAccountId}`,
    ),
  ).toEqual([{ actor: 'person:ada', action: 'rail.resume' }]);
});

/** Created at a time when new sessions would be refused. */
async function openSession(): Promise<string> {
  const held = await world.pool.any(sql.type(z.object({ scope: z.string() }))`
    update rail_breakers set state = 'closed' where state = 'open' returning scope`);
  const id = await world.session();
  for (const { scope } of held)
    await world.pool.query(sql.unsafe`update rail_breakers set state = 'open' where scope = ${scope}`);
  return id;
}
