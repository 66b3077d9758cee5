import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { passesLuhn } from '../../../sandbox/rail/browser/card-number.ts';
import { TEST_CARDS } from '../../../sandbox/rail/core/test-cards.ts';
import { eventually } from '../../support/core/eventually.ts';
import { credentials, newReference, type RunningRail, startRail } from './running-rail.ts';

let rail: RunningRail;
beforeAll(async () => {
  rail = await startRail();
});
afterAll(() => rail.close());

test('every test card has a valid number and a unique name', () => {
  for (const { number } of TEST_CARDS) expect(passesLuhn(number)).toBe(true);
  expect(new Set(TEST_CARDS.map(({ number }) => number)).size).toBe(TEST_CARDS.length);
  expect(new Set(TEST_CARDS.map(({ name }) => name)).size).toBe(TEST_CARDS.length);
});

test('GET /cards includes the industry’s usual numbers', async () => {
  const { body } = await rail.get('/cards');
  const numbers = body.map(({ number }: { number: string }) => number);
  expect(numbers).toEqual(
    expect.arrayContaining([
      '4242424242424242',
      '5555555555554444',
      '4000000000000002',
      '4000000000009995',
      '4000002760003184',
      '4000008400001629',
      '4000003800000446',
      '4000000000000341',
    ]),
  );
});

test('charged_then_dropped charges once without an answer', async () => {
  const reference = newReference();
  await expect(rail.authorize('charged_then_dropped', { reference })).rejects.toThrow('fetch failed');
  expect((await rail.lookup(reference)).body.status).toBe('approved');
  expect(await rail.ledgerOf(reference)).toHaveLength(1);
});

test('a retry after a dropped response gets the outcome of the first call', async () => {
  const [reference, token] = [newReference(), await rail.token('charged_then_dropped')];
  await expect(rail.authorize('approved', { reference, token })).rejects.toThrow('fetch failed');
  expect((await rail.authorize('approved', { reference, token })).body.status).toBe('approved');
  expect(await rail.ledgerOf(reference)).toHaveLength(1);
});

test('dropped_then_not_charged has no effect on the first call and charges on the second', async () => {
  const [reference, token] = [newReference(), await rail.token('dropped_then_not_charged')];
  await expect(rail.authorize('approved', { reference, token })).rejects.toThrow('fetch failed');
  expect((await rail.lookup(reference)).body.code).toBe('charge_not_found');
  expect((await rail.authorize('approved', { reference, token })).body.status).toBe('approved');
  expect(await rail.ledgerOf(reference)).toHaveLength(1);
});

test.each([
  ['pending_then_approved', 'approved', 1],
  ['pending_then_declined', 'declined', 0],
])('%s is pending, then %s', async (card, status, charges) => {
  const reference = newReference();
  expect((await rail.authorize(card, { reference })).body.status).toBe('pending');
  await eventually(async () => expect((await rail.lookup(reference)).body.status).toBe(status));
  expect(await rail.ledgerOf(reference)).toHaveLength(charges);
});

test('a cancelled pending charge never settles', async () => {
  const reference = newReference();
  await rail.authorize('pending_then_approved', { reference });
  expect((await rail.cancel(reference)).body.status).toBe('cancelled');
  const settled = newReference();
  await rail.authorize('pending_then_approved', { reference: settled });
  await eventually(async () => expect((await rail.lookup(settled)).body.status).toBe('approved'));
  expect((await rail.lookup(reference)).body.status).toBe('cancelled');
  expect(await rail.ledgerOf(reference)).toEqual([]);
});

test('approved_after_cancel is pending, then cancelled, then approved', async () => {
  const reference = newReference();
  expect((await rail.authorize('approved_after_cancel', { reference })).body.status).toBe('pending');
  expect((await rail.cancel(reference)).body.status).toBe('cancelled');
  expect((await rail.cancel(reference)).body.status).toBe('cancelled');
  await eventually(async () => expect((await rail.lookup(reference)).body.status).toBe('approved'));
  expect(await rail.ledgerOf(reference)).toHaveLength(1);
});

test('the bank can decline after a passed challenge', async () => {
  const { body } = await rail.authorize('challenge_then_declined');
  expect((await rail.post(new URL(body.challengeUrl).pathname, { result: 'approve' })).status).toBe(303);
  const answer = await rail.lookup(body.reference);
  expect(answer.body).toMatchObject({ status: 'declined', declineCode: 'do_not_honor' });
});

const later = async (card: string, times: number) => {
  const { body } = await rail.authorize(card, { saveMandate: true });
  if (body.challengeUrl) await rail.post(new URL(body.challengeUrl).pathname, { result: 'approve' });
  const { mandate } = (await rail.lookup(body.reference)).body;
  const outcomes: string[] = [];
  for (let count = 0; count < times; count++) {
    const reference = newReference();
    const request = { reference, amount: 900, currency: 'EUR', mandate };
    const charged = await rail.post('/v1/stored-charges', request, credentials(`${reference}:charge`));
    outcomes.push(charged.body.declineCode ?? charged.body.status);
  }
  return outcomes;
};

test.each([
  ['approved', ['approved', 'approved']],
  ['challenge_once', ['approved', 'approved']],
  ['challenge_always', ['authentication_required', 'authentication_required']],
  ['later_soft_declines', ['do_not_honor', 'do_not_honor', 'do_not_honor']],
  ['later_authentication_required', ['authentication_required', 'authentication_required']],
  ['later_hard_decline', ['stolen_card', 'stolen_card']],
  ['later_expired', ['expired_card', 'expired_card']],
  ['later_two_soft_declines', ['insufficient_funds', 'insufficient_funds', 'approved', 'approved']],
])('later charges of %s have the outcomes %j', async (card, outcomes) => {
  expect(await later(card, outcomes.length)).toEqual(outcomes);
});
