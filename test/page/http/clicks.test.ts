import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { takeProbeSlotOrWait } from '../../../db/payment/rail-admission.ts';
import { findBreakerTarget, pauseRail } from '../../../db/payment/rail-breaker.ts';
import { fenceIfRestored, readLedgerCopy } from '../../../db/restore/fence.ts';
import { claimAttempt } from '../../../db/session/claim-attempt.ts';
import { ENVIRONMENTS } from '../../../domain/core/environment.ts';
import { CLICKS_PER_MINUTE } from '../../../page/http/limits.ts';
import { methodTokenOf } from '../../../platform/secrets/places.ts';
import { eventually } from '../../support/core/eventually.ts';
import { testSecretBox } from '../../support/db/fixtures.ts';
import { liftFence } from '../../support/db/lift-fence.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { addAttempt, age, createSession, moveTo, type TestSession } from '../core/fixtures.ts';
import { type ServedPage, servePage } from '../core/serve.ts';

/** Temporal is unreachable here: PostgreSQL answers, or the outcome is unknown. */
let database: TestDatabase;
let served: ServedPage;

beforeAll(async () => {
  database = await createTestDatabase();
  served = await servePage({ databaseUrl: database.url });
});
afterAll(async () => {
  await served.close();
  await database.drop();
});

async function post(
  session: Pick<TestSession, 'pageToken'>,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
  url = served.url,
) {
  const response = await fetch(`${url}/pay/${session.pageToken}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the body's shape.
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

const click = (more: object = {}) => ({
  claimId: randomUUID(),
  methodType: 'card',
  methodToken: 'tok_canary',
  email: 'ada@example.com',
  ...more,
});

const requests = (session: TestSession) =>
  served.pool.any(sql.type(
    z.object({
      claim_id: z.string(),
      email: z.string().nullable(),
      token: z.instanceof(Buffer).nullable(),
      seconds: z.number(),
      quantity: z.number().nullable(),
    }),
  )`select claim_id, email, quantity, method_token as token, extract(epoch from not_after - created_at)::float8 as seconds
    from clicks where checkout_id = ${session.id} order by created_at`);

test('the time at which the browser opened the page is stored, clamped to plausible bounds', async () => {
  const opened = async (openedAt: string) => {
    const session = await createSession(served.pool);
    await post(session, 'pay', click({ openedAt }));
    return served.pool.one(sql.type(
      z.object({ kept: z.boolean().nullable(), clamped: z.boolean().nullable() }),
    )`
      select opened_at = ${openedAt.startsWith('20') ? openedAt : null}::timestamptz as kept,
        opened_at between c.created_at and r.created_at as clamped
      from clicks r join checkouts c on c.id = r.checkout_id where c.id = ${session.id}`);
  };
  expect(await opened('2020-01-01T00:00:00.000Z')).toEqual({ kept: false, clamped: true });
  expect(await opened('2090-01-01T00:00:00.000Z')).toEqual({ kept: false, clamped: true });
  expect(await opened('no instant')).toEqual({ kept: null, clamped: null });
});

test('a click is stored encrypted, valid for 30 s, before the workflow is called; its outcome is unknown without an answer', async () => {
  const session = await createSession(served.pool);
  const { claimId, ...rest } = click();
  const answer = await post(session, 'pay', { claimId, ...rest });
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({ state: 'unknown', code: 'outcome_unknown' });
  expect(answer.headers.get('retry-after')).toBe('2');
  const [stored, ...others] = await requests(session);
  expect(others).toEqual([]);
  expect(stored).toMatchObject({ claim_id: claimId, email: 'ada@example.com' });
  expect(stored?.seconds).toBeCloseTo(30, 0);
  expect(stored?.token?.toString()).not.toContain('canary');
  expect(testSecretBox.open(stored?.token ?? Buffer.alloc(0), methodTokenOf(claimId))).toBe('tok_canary');
  const state = await (await fetch(`${served.url}/pay/${session.pageToken}/state`)).json();
  expect(state).toMatchObject({ state: 'created', claimOpenUntil: expect.any(String) });
});

test('a click is answered from its row while its workflow task waits for the rail', async () => {
  const sockets: Socket[] = [];
  const mute = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const address = `127.0.0.1:${(mute.address() as AddressInfo).port}`;
  const waiting = await servePage({ databaseUrl: database.url, temporal: { address, namespace: 'default' } });
  try {
    const session = await createSession(served.pool);
    const sent = click();
    const answered = post(session, 'pay', sent, {}, waiting.url);
    await eventually(async () => expect(await requests(session)).toHaveLength(1));
    await claimAttempt(served.pool, { checkoutId: session.id, claimId: sent.claimId });
    expect(await answered).toMatchObject({ status: 200, body: { claim: 'claimed', state: 'processing' } });
  } finally {
    await waiting.close();
    for (const socket of sockets) socket.destroy();
    mute.close();
  }
});

test('a repeated click stores no second request', async () => {
  const session = await createSession(served.pool);
  const body = click();
  await post(session, 'pay', body);
  expect((await post(session, 'pay', { ...body, email: 'other@example.com' })).status).toBe(503);
  expect(await requests(session)).toMatchObject([{ claim_id: body.claimId, email: 'ada@example.com' }]);
});

test('a click expires with its session at the latest', async () => {
  const session = await createSession(served.pool);
  await age(served.pool, session, 1_790);
  await post(session, 'pay', click());
  const [stored] = await requests(session);
  expect(stored?.seconds).toBeLessThan(11);
});

test('an expired click is answered as such and creates no attempt', async () => {
  const session = await createSession(served.pool);
  const body = click();
  await post(session, 'pay', body);
  await served.pool.query(sql.unsafe`update clicks set not_after = not_after - interval '33 seconds'`);
  const answer = await post(session, 'pay', body);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ state: 'created', claim: 'expired', claimOpenUntil: null });
});

test('a click that has become an attempt is answered with the attempt’s state', async () => {
  const session = await createSession(served.pool);
  const body = click();
  await post(session, 'pay', body);
  await addAttempt(served.pool, session, { status: 'processing', claimId: body.claimId });
  await moveTo(served.pool, session, 'processing');
  const answer = await post(session, 'pay', body);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    state: 'processing',
    claim: 'claimed',
    openAttempt: { claimId: body.claimId },
  });
});

test('a click whose attempt appears while its update is unanswered is answered with the attempt’s state', async () => {
  const session = await createSession(served.pool);
  const body = click();
  // The page finds it only after the update, by the click that it stores before.
  await addAttempt(served.pool, session, { status: 'processing', claimId: body.claimId });
  const answer = await post(session, 'pay', body);
  expect(answer).toMatchObject({ status: 200, body: { claim: 'claimed' } });
});

test('a repeated click whose attempt was not sent to the rail goes to the workflow again', async () => {
  const session = await createSession(served.pool);
  const body = click();
  await post(session, 'pay', body);
  await addAttempt(served.pool, session, { status: 'processing', claimId: body.claimId, called: false });
  await moveTo(served.pool, session, 'processing');
  const answer = await post(session, 'pay', body);
  expect(answer).toMatchObject({ status: 503, body: { state: 'unknown', code: 'outcome_unknown' } });
});

test.each([
  ['processing', 'processing'],
  ['requires_action', 'requires_action'],
  ['reconciliation_required', 'processing'],
] as const)('a click on a session in %s joins the open attempt', async (state, status) => {
  const session = await createSession(served.pool);
  await addAttempt(served.pool, session, { status });
  await moveTo(served.pool, session, state);
  const answer = await post(session, 'pay', click());
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ state, claim: 'in_progress' });
  expect(await requests(session)).toEqual([]);
});

test.each([
  ['succeeded', null],
  ['failed', 'expired'],
  ['failed', 'cancelled'],
] as const)('a click on a session in %s (%s) gets that state, not an error', async (state, reason) => {
  const session = await createSession(served.pool);
  await moveTo(served.pool, session, state, reason);
  const answer = await post(session, 'pay', click());
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ state, failureReason: reason, claim: 'refused' });
  expect(await requests(session)).toEqual([]);
});

test('the database’s clock refuses a click on an expired session that is still open', async () => {
  const session = await createSession(served.pool);
  await age(served.pool, session, 1_801);
  const answer = await post(session, 'pay', click());
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ state: 'created', claim: 'refused' });
  expect(await requests(session)).toEqual([]);
});

test('another session’s claim id is refused, and that session is unchanged', async () => {
  const [mine, other] = [await createSession(served.pool), await createSession(served.pool)];
  const body = click();
  await post(other, 'pay', body);
  const answer = await post(mine, 'pay', { ...body, email: 'mallory@example.com' });
  expect([answer.status, answer.body.code]).toEqual([409, 'claim_id_taken']);
  expect(await requests(other)).toMatchObject([{ email: 'ada@example.com' }]);
  expect(await requests(mine)).toEqual([]);
});

test('if no email is known, a click requires a valid email', async () => {
  const session = await createSession(served.pool);
  for (const email of [undefined, null, '', '   ']) {
    const answer = await post(session, 'pay', click({ email }));
    expect([answer.status, answer.body.code]).toEqual([400, 'email_required']);
  }
  for (const email of [
    'ada',
    'ada@',
    '@example.com',
    'a b@example.com',
    'ada@example',
    `${'x'.repeat(310)}@example.com`,
    'a\u0000@example.com',
    'a\u200bb@example.com',
    'ada@exam\u00adple.com',
  ]) {
    const answer = await post(session, 'pay', click({ email }));
    expect([answer.status, answer.body.code]).toEqual([400, 'email_invalid']);
  }
  expect(await requests(session)).toEqual([]);
});

test('paying confirms a prefilled email, and a typed email replaces it', async () => {
  const [silent, typed] = [
    await createSession(served.pool, { email: 'shop@example.com' }),
    await createSession(served.pool, { email: 'shop@example.com' }),
  ];
  await post(silent, 'pay', click({ email: undefined }));
  expect(await requests(silent)).toMatchObject([{ email: 'shop@example.com' }]);
  await post(typed, 'pay', click());
  expect(await requests(typed)).toMatchObject([{ email: 'ada@example.com' }]);
});

test('a name that invoices cannot print is asked for once more, and may then be left unchanged', async () => {
  const buyerOf = (session: TestSession) =>
    served.pool.oneFirst(sql.type(z.object({ buyer: z.any() }))`
      select buyer from checkouts where id = ${session.id}`);
  const named = (buyerName: string) => createSession(served.pool, { buyerName });
  const [silent, spelt, refused, known] = [
    await named('ஆதிதி'),
    await named('ஆதிதி'),
    await named('ஆதிதி'),
    await named('Aditi'),
  ];
  await post(silent, 'pay', click());
  expect(await requests(silent)).toHaveLength(1);
  expect(await buyerOf(silent)).toMatchObject({ name: 'ஆதிதி' });

  await post(spelt, 'pay', click({ name: 'Aditi' }));
  expect(await requests(spelt)).toHaveLength(1);
  expect(await buyerOf(spelt)).toMatchObject({ name: 'Aditi', tax_value: null });

  for (const name of ['', ' ']) {
    const empty = await named('ஆதிதி');
    await post(empty, 'pay', click({ name }));
    expect(await requests(empty)).toHaveLength(1);
    expect(await buyerOf(empty)).toMatchObject({ name: 'ஆதிதி' });
  }

  for (const name of ['ஆதி', 'a\u0007', 'x'.repeat(161)]) {
    const answer = await post(refused, 'pay', click({ name }));
    expect([answer.status, answer.body.code]).toEqual([400, 'name_unprintable']);
  }
  expect(await requests(refused)).toEqual([]);

  await post(known, 'pay', click({ name: 'Somebody Else' }));
  expect(await buyerOf(known)).toMatchObject({ name: 'Aditi' });
});

test('a quantity is accepted where the buyer may choose it', async () => {
  const range = { min: 2, max: 5 };
  const [open, fixed] = [
    await createSession(served.pool, { range }),
    await createSession(served.pool, { range, quantity: 3 }),
  ];
  for (const [session, wrong] of [
    [open, 1],
    [open, 6],
    [fixed, 4],
  ] as const) {
    const answer = await post(session, 'pay', click({ quantity: wrong }));
    expect([answer.status, answer.body.code]).toEqual([400, 'quantity_invalid']);
  }
  await post(open, 'pay', click({ quantity: 5 }));
  await post(fixed, 'pay', click());
  expect([...(await requests(open)), ...(await requests(fixed))]).toMatchObject([
    { quantity: 5 },
    { quantity: null },
  ]);
});

test('an email typed in this session can be corrected with the next attempt', async () => {
  const session = await createSession(served.pool);
  await post(session, 'pay', click({ email: 'jnae@example.com' }));
  await served.pool.query(sql.unsafe`
    update customers set email = 'jnae@example.com', email_confirmed_at = service_clock()
    where id = (select customer_id from checkouts where id = ${session.id})`);
  await post(session, 'pay', click({ email: 'jane@example.com' }));
  expect(await requests(session)).toMatchObject([
    { email: 'jnae@example.com' },
    { email: 'jane@example.com' },
  ]);
});

test('an email confirmed before this session is not replaced', async () => {
  const session = await createSession(served.pool, { email: 'ada@example.com', emailConfirmed: true });
  await post(session, 'pay', click({ email: 'other@example.com' }));
  expect(await requests(session)).toMatchObject([{ email: null }]);
});

test('a payment method is accepted only if the account has enabled it', async () => {
  const cardOnly = await createSession(served.pool);
  const answer = await post(cardOnly, 'pay', click({ methodType: 'apple_pay' }));
  expect([answer.status, answer.body.code]).toEqual([400, 'method_not_available']);
  const withWallet = await createSession(served.pool, { wallets: ['apple_pay'] });
  expect((await post(withWallet, 'pay', click({ methodType: 'apple_pay' }))).status).toBe(503);
  expect((await post(withWallet, 'pay', click({ methodType: 'google_pay' }))).status).toBe(400);
});

test('a session on a rail that is not installed cannot be paid', async () => {
  const session = await createSession(served.pool, { rail: 'elsewhere' });
  const answer = await post(session, 'pay', click());
  expect([answer.status, answer.body.code]).toEqual([400, 'method_not_available']);
});

test.each([
  ['malformed JSON', '{"claimId":', 400, 'invalid_json'],
  ['a body that is not an object', '[]', 400, 'invalid_request'],
  ['no claim id', { ...click(), claimId: undefined }, 400, 'invalid_request'],
  ['a claim id that is not a UUID', click({ claimId: 'x' }), 400, 'invalid_request'],
  ['an unknown method', click({ methodType: 'cash' }), 400, 'invalid_request'],
  ['no token', click({ methodToken: '' }), 400, 'invalid_request'],
  ['a token of the wrong type', click({ methodToken: 7 }), 400, 'invalid_request'],
  ['a token that is too long', click({ methodToken: 'x'.repeat(501) }), 400, 'invalid_request'],
  ['a body that is too large', click({ more: 'x'.repeat(20_000) }), 413, 'payload_too_large'],
])('a click with %s is refused and stores nothing', async (_what, body, status, code) => {
  const session = await createSession(served.pool);
  const answer = await post(session, 'pay', body);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(answer.body.message).toEqual(expect.any(String));
  expect(answer.body).toHaveProperty('request_id');
  expect(await requests(session)).toEqual([]);
});

test('a body without a JSON content type is refused: a cross-site form cannot set one', async () => {
  const session = await createSession(served.pool);
  const answer = await post(session, 'pay', JSON.stringify(click()), { 'content-type': 'text/plain' });
  expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
});

test('unknown fields are ignored and never stored', async () => {
  const session = await createSession(served.pool);
  expect((await post(session, 'pay', click({ amount: 1, card: '4242424242424242' }))).status).toBe(503);
  expect(await requests(session)).toHaveLength(1);
});

test.each(['pay', 'cancel', 'challenge-complete'])(
  '%s of an unknown session gets 404 in JSON',
  async (path) => {
    const body = { ...click(), requestId: randomUUID(), what: 'session' };
    for (const pageToken of ['ap_chk_unknown', '%00']) {
      const answer = await post({ pageToken }, path, body);
      expect([answer.status, answer.body.code]).toEqual([404, 'session_not_found']);
    }
  },
);

test('cancelling a final session, or an attempt that does not exist, returns the state', async () => {
  const over = await createSession(served.pool);
  await moveTo(served.pool, over, 'succeeded');
  const cancel = (session: TestSession, what: string) =>
    post(session, 'cancel', { requestId: randomUUID(), what });
  expect(await cancel(over, 'session')).toMatchObject({ status: 200, body: { state: 'succeeded' } });
  const idle = await createSession(served.pool);
  expect(await cancel(idle, 'ap_pay_none')).toMatchObject({ status: 200, body: { state: 'created' } });
});

test('a cancellation that may not have arrived is answered as unknown', async () => {
  const session = await createSession(served.pool);
  const answer = await post(session, 'cancel', { requestId: randomUUID(), what: 'session' });
  expect(answer).toMatchObject({ status: 503, body: { state: 'unknown', code: 'outcome_unknown' } });
});

test('a return from the bank gets the session’s state if no challenge is open', async () => {
  const session = await createSession(served.pool);
  const answer = await post(session, 'challenge-complete', { requestId: randomUUID() });
  expect(answer).toMatchObject({ status: 200, body: { state: 'created' } });
});

test('a return from the bank is answered as unknown while the workflow cannot be reached', async () => {
  const session = await createSession(served.pool);
  await addAttempt(served.pool, session, {
    status: 'requires_action',
    challengeUrl: 'https://bank.example/',
  });
  await moveTo(served.pool, session, 'requires_action');
  const answer = await post(session, 'challenge-complete', { requestId: randomUUID() });
  expect(answer).toMatchObject({ status: 503, body: { state: 'unknown' } });
});

test.each(['cancel', 'challenge-complete'])('%s without an id is refused', async (path) => {
  const session = await createSession(served.pool);
  const answer = await post(session, path, { what: 'session' });
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
});

test('clicks are limited per minute and per session', async () => {
  const [busy, calm] = [await createSession(served.pool), await createSession(served.pool)];
  await moveTo(served.pool, busy, 'failed', 'expired');
  await moveTo(served.pool, calm, 'failed', 'expired');
  const statuses = [];
  for (let i = 0; i <= CLICKS_PER_MINUTE; i++) statuses.push((await post(busy, 'pay', click())).status);
  expect(statuses.slice(0, -1)).toEqual(Array(CLICKS_PER_MINUTE).fill(200));
  expect(statuses.at(-1)).toBe(429);
  const refused = await post(busy, 'cancel', { requestId: randomUUID(), what: 'session' });
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await post(calm, 'pay', click())).status).toBe(200);
});

test('the clicks of a session are counted across all API processes', async () => {
  const busy = await createSession(served.pool);
  await moveTo(served.pool, busy, 'failed', 'expired');
  const other = await servePage({ databaseUrl: database.url });
  try {
    for (let i = 0; i < CLICKS_PER_MINUTE - 20; i++)
      expect((await post(busy, 'pay', click())).status).toBe(200);
    const elsewhere = await statusesUntilRefused(() => post(busy, 'pay', click(), {}, other.url));
    // A process learns the others' counts whenever it reports its own, after every three requests.
    expect(elsewhere.length).toBeGreaterThanOrEqual(20);
    expect(elsewhere.length).toBeLessThanOrEqual(20 + 3);
  } finally {
    await other.close();
  }
});

async function statusesUntilRefused(send: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let status = 200; status !== 429 && statuses.length < 100; statuses.push(status))
    ({ status } = await send());
  return statuses.slice(0, -1);
}

test('the log contains no email, card token or page token', async () => {
  const session = await createSession(served.pool);
  await post(session, 'pay', click());
  expect(served.log.join('\n')).toContain(session.id);
  expect(served.log.join('\n')).not.toMatch(/canary|ada@example/);
  expect(served.log.join('\n')).not.toContain(session.pageToken);
});

test('a click while the rail is paused is refused for certain, and stores nothing', async () => {
  const session = await createSession(served.pool);
  const { id } = await served.pool.one(sql.type(z.object({ id: z.string() }))`
    select rail_account_id as id from checkouts where id = ${session.id}`);
  const target = await findBreakerTarget(served.pool, id);
  if (!target) throw new Error('no account');
  await pauseRail(served.pool, target, { actor: 'person:ada', reason: 'incident at the rail' });
  const answer = await post(session, 'pay', click());
  expect(answer).toMatchObject({ status: 503, body: { code: 'payment_rail_unavailable' } });
  expect(await requests(session)).toEqual([]);
  const state = await (await fetch(`${served.url}/pay/${session.pageToken}/state`)).json();
  expect(state).toMatchObject({ state: 'created', railIsOut: true });
});

test('a click that creates no attempt frees its slot in a half-open breaker for the next click', async () => {
  const [session, other] = [await createSession(served.pool), await createSession(served.pool)];
  const found = await served.pool.one(sql.type(
    z.object({ id: z.string(), rail: z.string(), environment: z.enum(ENVIRONMENTS) }),
  )`
    select a.id, a.rail, a.environment from checkouts c join rail_accounts a on a.id = c.rail_account_id
    where c.id = ${session.id}`);
  const account = { ...found, status: 'active' } as const;
  const taken = click();
  await post(other, 'pay', taken);
  await served.pool.query(sql.unsafe`
    insert into rail_breakers (scope, rail, environment, rail_account_id, state, reason)
    values (${`account:${account.id}`}, ${account.rail}, ${account.environment}, ${account.id}, 'open', 'timeout')`);
  expect((await post(session, 'pay', taken)).body).toMatchObject({ code: 'claim_id_taken' });
  expect((await post(session, 'pay', click())).body).toMatchObject({ code: 'outcome_unknown' });
  // This click may have created an attempt.
  expect(await takeProbeSlotOrWait(served.pool, account)).toBe(60);
  await served.pool.query(sql.unsafe`delete from rail_breakers`);
});

test('a click on a restored database is refused with 503, and stores nothing (rule 29)', async () => {
  const session = await createSession(served.pool);
  await fenceIfRestored(served.pool, { sweepNumber: null, announced: { actor: 'operator:ada' } });
  try {
    const answer = await post(session, 'pay', click());
    expect(answer).toMatchObject({ status: 503, body: { code: 'payment_rail_unavailable' } });
    expect(await requests(session)).toEqual([]);
  } finally {
    await liftFence(served.pool, (await readLedgerCopy(served.pool)).epoch);
  }
});
