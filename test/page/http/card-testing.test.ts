/** Clicks after declined cards. Temporal is unreachable: a click that passes is stored, and its outcome unknown. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { deleteDeclines } from '../../../db/session/card-declines.ts';
import { ENVIRONMENTS } from '../../../domain/core/environment.ts';
import { DECLINE_LIMITS, PROOF_PARTS } from '../../../domain/session/card-testing.ts';
import { prove } from '../../../page/browser/core/proof.ts';
import { addressHash } from '../../../page/http/card-testing.ts';
import { keyedHash } from '../../../platform/secrets/keyed-hash.ts';
import { openPageToken } from '../../../platform/secrets/page-token.ts';
import { fingerprintOf } from '../../../sandbox/rail/core/test-cards.ts';
import {
  insertProduct,
  insertSession,
  insertStorefrontClient,
  TEST_PEPPER,
  testSecretBox,
} from '../../support/db/fixtures.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { addAttempt, createSession, insertSeller, RAIL_ACCOUNT, type TestSession } from '../core/fixtures.ts';
import { type ServedPage, servePage } from '../core/serve.ts';

const { perAddress, perClient, perMerchant, perCard } = DECLINE_LIMITS;
const DECLINED = '4000000000000002';
const APPROVED = '4242424242424242';
const HERE = addressHash(TEST_PEPPER, '127.0.0.1');

let database: TestDatabase;
let railDatabase: TestDatabase;
let served: ServedPage;
let session: TestSession;

beforeAll(async () => {
  [database, railDatabase] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
  served = await servePage({ databaseUrl: database.url, railDatabaseUrl: railDatabase.url });
});
afterAll(async () => {
  await served.close();
  await Promise.all([database.drop(), railDatabase.drop()]);
});
beforeEach(async () => {
  await served.pool.query(sql.unsafe`delete from card_declines`);
  session = await createSession(served.pool);
});

interface Counted {
  readonly address?: Buffer;
  readonly card?: Buffer;
  readonly minutesAgo?: number;
  readonly ofMerchant?: boolean;
  readonly client?: string;
}

async function insertDeclines(
  count: number,
  { address, card, minutesAgo = 1, client, ofMerchant = card !== undefined }: Counted,
) {
  await served.pool.query(sql.unsafe`
    insert into card_declines (merchant_id, environment, client_id, address, card, passed, at)
    select case when ${ofMerchant} then merchant_id else 'ap_mer_other' end, environment, ${client ?? null},
      ${address ? sql.binary(address) : null}::bytea, ${card ? sql.binary(card) : null}::bytea,
      ${card ? 'card' : null}::text, service_clock() - ${minutesAgo} * interval '1 minute'
    from checkouts, generate_series(1, ${count}) where id = ${session.id}`);
}

async function click(more: object = {}, of = session, address = '127.0.0.1') {
  const response = await fetch(`${served.url}/pay/${of.pageToken}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({
      claimId: randomUUID(),
      methodType: 'card',
      methodToken: 'tok_canary',
      email: 'ada@example.com',
      ...more,
    }),
  });
  const body = (await response.json()) as {
    readonly code?: string;
    readonly challenge?: string;
    readonly claim?: string;
  };
  return { status: response.status, ...body };
}

async function token(number: string): Promise<string> {
  const card = { number, expMonth: 12, expYear: 2040, cvc: '123' };
  const response = await fetch(`${served.railUrl}/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: RAIL_ACCOUNT.id, ...card }),
  });
  return ((await response.json()) as { token: string }).token;
}

const stored = () =>
  served.pool.oneFirst(sql.type(z.object({ count: z.number() }))`
    select count(*) from clicks where checkout_id = ${session.id}`);

test('an IP address below the decline limits of 10 minutes and a day needs no proof of work', async () => {
  await insertDeclines(perAddress - 1, { address: HERE });
  await insertDeclines(perAddress * 9, { address: HERE, minutesAgo: 60 });
  await insertDeclines(1_000, { address: HERE, minutesAgo: 1_441 });
  await insertDeclines(1_000, { address: addressHash(TEST_PEPPER, '192.0.2.1') });
  expect((await click()).code).toBe('outcome_unknown');
});

test.each([
  ['of one address', { address: HERE }, perAddress],
  ['of one address in a day', { address: HERE, minutesAgo: 60 }, perAddress * 10],
  ['of one merchant', { ofMerchant: true }, perMerchant],
  ['of one merchant, however many', { ofMerchant: true }, perMerchant * 150],
])('428 proof_required after declines %s; the same click passes with its proof', async (_name, of, count) => {
  await insertDeclines(count, of);
  const claimId = randomUUID();
  const asked = await click({ claimId });
  expect(asked).toMatchObject({ status: 428, code: 'proof_required', challenge: expect.any(String) });
  expect(await stored()).toBe(0);
  const proof = await prove(asked.challenge ?? '');
  expect((await click({ claimId, proof })).code).toBe('outcome_unknown');
  expect(await stored()).toBe(1);
});

test('a proof is valid for its own click and session only', async () => {
  await insertDeclines(perAddress, { address: HERE });
  const claimId = randomUUID();
  const proof = await prove((await click({ claimId })).challenge ?? '');
  const other = await createSession(served.pool);
  for (const answer of [
    await click({ proof }),
    await click({ claimId, proof }, other),
    await click({ claimId, proof: '' }),
    await click({ claimId, proof: proof.split('.').slice(1).join('.') }),
    await click({ claimId, proof: Array(PROOF_PARTS).fill('1').join('.') }),
  ])
    expect(answer.code).toBe('proof_required');
  expect(await stored()).toBe(0);
});

test('428 proof_required, never a refusal, however many declines the storefront client has had', async () => {
  const scope = await served.pool.one(sql.type(
    z.object({ merchantId: z.string(), environment: z.enum(ENVIRONMENTS) }),
  )`
    select merchant_id as "merchantId", environment from checkouts where id = ${session.id}`);
  const client = await insertStorefrontClient(served.pool, { ...scope, origins: ['https://shop.example'] });
  await served.pool.query(sql.unsafe`
    insert into storefront_sessions (operation_id, client_id, checkout_id)
    values (${randomUUID()}, ${client}, ${session.id})`);
  await insertDeclines(perClient * 150, { client });
  const claimId = randomUUID();
  const asked = await click({ claimId });
  expect(asked).toMatchObject({ status: 428, code: 'proof_required' });
  const proof = await prove(asked.challenge ?? '');
  expect((await click({ claimId, proof })).code).toBe('outcome_unknown');
});

test('429 too_many_declines: one address over its limit, without a challenge', async () => {
  await insertDeclines(perAddress * 10, { address: HERE });
  const answer = await click();
  expect(answer).toMatchObject({ status: 429, code: 'too_many_declines' });
  expect(answer.challenge).toBeUndefined();
});

test('after its declines a card needs a proof and is later refused, from any address, unlike other cards', async () => {
  const card = keyedHash(TEST_PEPPER, 'card', fingerprintOf('declined'));
  const clickAfter = async (more: number, number: string) => {
    await insertDeclines(more, { card });
    session = await createSession(served.pool);
    await served.pool.query(sql.unsafe`
      update card_declines set merchant_id = (select merchant_id from checkouts where id = ${session.id})`);
    return (await click({ methodToken: await token(number) })).code;
  };
  expect(await clickAfter(perCard - 1, DECLINED)).toBe('outcome_unknown');
  expect(await clickAfter(1, DECLINED)).toBe('proof_required');
  expect(await clickAfter(0, APPROVED)).toBe('outcome_unknown');
  expect(await clickAfter(perCard * 9, DECLINED)).toBe('too_many_declines');
});

test('declines and the addresses of clicks are deleted after a day', async () => {
  await click();
  await insertDeclines(3, { address: HERE, minutesAgo: 1_441 });
  await insertDeclines(2, { address: HERE });
  await served.pool.query(sql.unsafe`
    update clicks set created_at = created_at - interval '25 hours' where checkout_id = ${session.id}`);
  await deleteDeclines(served.pool, 500);
  const left = await served.pool.one(sql.type(z.object({ declines: z.number(), addresses: z.number() }))`
    select (select count(*) from card_declines) as declines,
      (select count(*) from clicks where address is not null and checkout_id = ${session.id}) as addresses`);
  expect(left).toEqual({ declines: 2, addresses: 0 });
});

/** Sessions of one merchant. */
async function createSessions(count: number): Promise<readonly TestSession[]> {
  const scope = await insertSeller(served.pool);
  const { productId } = await insertProduct(served.pool, { merchantId: scope.merchantId });
  const create = async () => {
    const created = await insertSession(served.pool, scope, productId);
    return { id: created.id, pageToken: openPageToken(testSecretBox, created) };
  };
  return Promise.all(Array.from({ length: count }, create));
}

/** Stores clicks from here, by default as many as pass. @returns their claims */
async function insertOpenClicks(count = perAddress): Promise<[string, string, ...string[]]> {
  const { rows } = await served.pool.query(sql.type(z.object({ claim_id: z.string() }))`
    insert into clicks (claim_id, merchant_id, environment, checkout_id, method_type, not_after, address)
    select gen_random_uuid(), merchant_id, environment, id, 'card', service_clock() + interval '30 seconds',
      ${sql.binary(HERE)}
    from checkouts, generate_series(1, ${count}) where id = ${session.id} returning claim_id`);
  const [one = '', two = '', ...more] = rows.map(({ claim_id }) => claim_id);
  return [one, two, ...more];
}

/** Still waiting after three of the service's polls. */
const isWaiting = (clicked: Promise<unknown>) =>
  Promise.race([clicked.then(() => false), setTimeout(750, true)]);

test('of 300 concurrent clicks from 256 addresses, fewer than twice the limit pass before the first decline', async () => {
  const sessions = await createSessions(300);
  session = sessions[0] ?? session;
  const clicks = Promise.all(
    sessions.map((each, n) => click({}, each, `198.51.${100 + (n >> 8)}.${n & 255}`)),
  );
  await setTimeout(2_000);
  await insertDeclines(1, { ofMerchant: true });
  const said = (await clicks).map(({ code, claim }) => code ?? claim);
  const passed = said.filter((each) => each === 'outcome_unknown').length;
  expect(passed).toBeGreaterThan(0);
  // Only the time between a click's instant and its commit lets more than the limit pass.
  expect(passed).toBeLessThan(2 * perMerchant);
  // On a busy machine, the turn of a click may not come in time.
  expect(new Set(said)).toEqual(
    new Set(['outcome_unknown', 'proof_required', ...said.filter((each) => each === 'expired')]),
  );
});

test('before the first decline, clicks beyond the limit of open clicks wait in order, without a proof', async () => {
  const [one, two] = await insertOpenClicks();
  const payment = await addAttempt(served.pool, session, { status: 'processing', claimId: one });
  const first = click();
  expect(await isWaiting(first)).toBe(true);
  const second = click();
  await served.pool.query(sql.unsafe`update payments set status = 'requires_action' where id = ${payment}`);
  expect((await first).code).toBe('outcome_unknown');
  expect(await isWaiting(second)).toBe(true);
  await addAttempt(served.pool, session, { status: 'cancelled', claimId: two });
  expect((await second).code).toBe('outcome_unknown');
});

test.each([
  ['of the other environment', sql.fragment`environment = 'production'`],
  ['of another merchant', sql.fragment`merchant_id = 'ap_mer_other'`],
  ['of half a minute ago', sql.fragment`created_at = created_at - interval '30 seconds'`],
  ['that came with a proof', sql.fragment`proved = true`],
  ['that were closed', sql.fragment`address = null`],
])('open clicks %s do not count towards the limit', async (_name, change) => {
  const claims = await insertOpenClicks(perMerchant);
  await served.pool.query(sql.unsafe`
    update clicks set ${change}
    where claim_id = any (${sql.array(claims, 'text')})`);
  expect((await click()).code).toBe('outcome_unknown');
});

test('a fresh click also counts clicks with a later timestamp, which may have been committed first', async () => {
  await insertOpenClicks();
  await insertDeclines(1, { address: HERE });
  await served.pool.query(sql.unsafe`
    update clicks set created_at = created_at + interval '20 seconds' where checkout_id = ${session.id}`);
  const codes: unknown[] = [];
  // On a busy machine a click may no longer be fresh when it is counted.
  while (codes.length < 3) codes.push((await click()).code);
  expect(codes).toContain('proof_required');
});

test('a click waits at most a few seconds for other clicks, then expires', async () => {
  await insertOpenClicks();
  const claimId = randomUUID();
  expect(await click({ claimId })).toMatchObject({ status: 200, claim: 'expired' });
  expect(await click({ claimId })).toMatchObject({ status: 200, claim: 'expired' });
});

test('a repeated click waits too, and passes with the proof that a decline makes necessary', async () => {
  await insertOpenClicks();
  const claimId = randomUUID();
  const both = [click({ claimId }), click({ claimId })];
  expect(await isWaiting(Promise.race(both))).toBe(true);
  const third = click({ claimId });
  expect(await isWaiting(third)).toBe(true);
  await insertDeclines(1, { address: HERE });
  const asked = await Promise.all([...both, third]);
  expect(asked.map(({ code }) => code)).toEqual(Array(3).fill('proof_required'));
  expect(await stored()).toBe(perAddress);
  const proof = await prove(asked[0]?.challenge ?? '');
  expect((await click({ claimId, proof })).code).toBe('outcome_unknown');
  expect((await click()).code).toBe('proof_required');
});

test('a click whose update was sent passes again after a decline, and still counts', async () => {
  const claimId = randomUUID();
  expect((await click({ claimId })).code).toBe('outcome_unknown');
  await insertDeclines(perAddress, { address: HERE });
  expect((await click({ claimId })).code).toBe('outcome_unknown');
  expect(await stored()).toBe(1);
  await served.pool.query(sql.unsafe`delete from card_declines`);
  await insertOpenClicks(perAddress - 1);
  expect(await isWaiting(click())).toBe(true);
});

test('a click whose update another request has sent is not withdrawn', async () => {
  await insertOpenClicks();
  const claimId = randomUUID();
  const waiting = click({ claimId });
  expect(await isWaiting(waiting)).toBe(true);
  await served.pool.query(sql.unsafe`update clicks set possibly_sent = true where claim_id = ${claimId}`);
  await insertDeclines(1, { address: HERE });
  expect((await waiting).code).toBe('outcome_unknown');
  expect(await stored()).toBe(perAddress + 1);
});

test('a click whose attempt another request has made is not withdrawn', async () => {
  await insertOpenClicks();
  const claimId = randomUUID();
  const waiting = click({ claimId });
  expect(await isWaiting(waiting)).toBe(true);
  await addAttempt(served.pool, session, { status: 'processing', claimId });
  await insertDeclines(1, { address: HERE });
  expect(await waiting).toMatchObject({ status: 200, claim: 'claimed' });
  expect(await stored()).toBe(perAddress + 1);
});
