/** Measures the cost of testing cards (rule 53): a tester with 256 addresses, and a shop whose buyers share one. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { DECLINE_LIMITS } from '../../../domain/session/card-testing.ts';
import { prove } from '../../../page/browser/core/proof.ts';
import { eventually } from '../../support/core/eventually.ts';
import { type CreatedSession, startStack, type TestStack } from '../../support/stack/stack.ts';

const DECLINED = '4000000000000002';
const POOR = '4000000000009995';
const APPROVED = '4242424242424242';
const { perAddress, perClient, perMerchant, perCard } = DECLINE_LIMITS;

let stack: TestStack;
let pool: Pool;

beforeAll(async () => {
  stack = await startStack({
    env: {
      TRUSTED_PROXIES: '1',
      DECLINES_PER_ADDRESS: String(perAddress),
      DECLINES_PER_CLIENT: String(perClient),
      DECLINES_PER_MERCHANT: String(perMerchant),
      DECLINES_PER_CARD: String(perCard),
    },
  });
  pool = await openPool({ url: stack.databaseUrl });
});
afterAll(async () => {
  await pool?.end();
  await stack?.stop();
});

async function token(number: string): Promise<string> {
  const response = await fetch(`${stack.railUrl}/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      account: stack.merchant.railAccountId,
      number,
      expMonth: 12,
      expYear: 2040,
      cvc: '123',
    }),
  });
  return ((await response.json()) as { token: string }).token;
}

interface Said {
  readonly code?: string;
  readonly challenge?: string;
  readonly claim?: string;
}

interface Prepared {
  readonly session: CreatedSession;
  readonly methodToken: string;
}

async function prepare(number: string): Promise<Prepared> {
  return { session: await stack.createCheckout(stack.products.oneTime), methodToken: await token(number) };
}

/** @returns the code of a refusal, or the session's state once the rail has answered */
async function pay(address: string, number: string, works: boolean): Promise<string> {
  return payPrepared(await prepare(number), address, works);
}

async function payPrepared(
  { session, methodToken }: Prepared,
  address: string,
  works: boolean,
): Promise<string> {
  const click = { claimId: randomUUID(), methodType: 'card', methodToken, email: 'a@b.example' };
  const send = async (proof?: string) => {
    const response = await fetch(`${session.hostedUrl}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ ...click, proof }),
    });
    return (await response.json()) as Said;
  };
  let said = await send();
  if (works && said.challenge) said = await send(await prove(said.challenge));
  if (said.code) return said.code;
  if (said.claim === 'expired') return said.claim;
  return eventually(async () => {
    const { state } = (await (await fetch(`${session.hostedUrl}/state`)).json()) as {
      readonly state: string;
    };
    if (state === 'processing') throw new Error('not answered yet');
    return state;
  });
}

test('a card tester who changes the address but not the card needs proofs at the limit; other cards do not', async () => {
  for (let tries = 0; tries < perCard; tries++)
    expect(await pay(`198.51.100.${tries}`, DECLINED, false)).toBe('created');
  expect(await pay('203.0.113.1', DECLINED, false)).toBe('proof_required');
  expect(await pay('203.0.113.1', DECLINED, true)).toBe('created');
  expect(await pay('203.0.113.2', APPROVED, false)).toBe('succeeded');
  await pool.query(sql.unsafe`delete from card_declines`);
});

async function prepareMany(count: number, number: string): Promise<readonly Prepared[]> {
  const prepared: Prepared[] = [];
  while (prepared.length < count)
    prepared.push(...(await Promise.all(Array.from({ length: 10 }, () => prepare(number)))));
  return prepared;
}

test('20 buyers behind one address who click concurrently all buy without a proof', async () => {
  const buyers = await prepareMany(20, APPROVED);
  const bought = await Promise.all(buyers.map((buyer) => payPrepared(buyer, '203.0.113.7', false)));
  expect(bought).toEqual(Array(20).fill('succeeded'));
});

test('of 300 concurrent cards that will be declined, few pass before the first decline; another buyer pays with a proof', async () => {
  const [cards, buyer] = [await prepareMany(300, DECLINED), await prepare(APPROVED)];
  const tested = Promise.all(cards.map((card, n) => payPrepared(card, `198.51.100.${n % 256}`, false)));
  await eventually(async () => {
    const declines = await pool.query(sql.unsafe`select from card_declines`);
    expect(declines.rowCount).toBeGreaterThan(0);
  });
  expect(await payPrepared(buyer, '203.0.113.8', true)).toBe('succeeded');
  const said = await tested;
  const declined = said.filter((each) => each === 'created').length;
  expect(declined).toBeGreaterThan(0);
  expect(declined).toBeLessThan(2 * perMerchant);
  // A click whose turn does not come within seconds, on a busy machine, expires.
  const others = said.filter((each) => each !== 'created');
  expect(others.filter((each) => each !== 'proof_required' && each !== 'expired')).toEqual([]);
  await pool.query(sql.unsafe`delete from card_declines`);
});

test('256 addresses get fewer than 100 declines an hour without proofs, and 20 buyers behind one address buy', async () => {
  let declines = 0;
  for (let round = 0; round < 6; round++) {
    for (let tries = 0; tries < 2 * perMerchant; tries++) {
      const card = tries % 2 ? DECLINED : POOR;
      const said = await pay(`198.51.100.${(declines + tries) % 256}`, card, false);
      if (said === 'proof_required') break;
      declines += 1;
    }
    await pool.query(sql.unsafe`update card_declines set at = at - interval '10 minutes'`);
  }
  expect([declines > perMerchant, declines < 100]).toEqual([true, true]);

  await pool.query(sql.unsafe`update card_declines set at = service_clock()`);
  const bought: string[] = [];
  for (let buyer = 0; buyer < 20; buyer++) bought.push(await pay('203.0.113.7', APPROVED, true));
  expect(bought).toEqual(Array(20).fill('succeeded'));
});
