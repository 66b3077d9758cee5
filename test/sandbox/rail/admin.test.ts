import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { isLoopback } from '../../../sandbox/rail/routes/admin.ts';
import { eventually } from '../../support/core/eventually.ts';
import { credentials, newReference, type RunningRail, startRail } from './running-rail.ts';

let rail: RunningRail;
beforeAll(async () => {
  rail = await startRail();
});
afterEach(() => fetch(`${rail.url}/admin/faults`, { method: 'DELETE' }));
afterAll(() => rail.close());

test('an account can be added and changed while the rail runs', async () => {
  const account = { id: 'acct_new', secret: 'the_secret_of_a_new_one' };
  expect((await rail.post('/admin/accounts', account)).status).toBe(200);
  expect((await rail.get('/v1/charges/x', credentials('-', account.secret))).status).toBe(404);
  await rail.post('/admin/accounts', { ...account, status: 'disabled' });
  const token = await rail.post('/wallet-tokens', { account: account.id, wallet: 'apple_pay' });
  expect(token.body.code).toBe('account_disabled');
});

test('a malformed account is rejected without echoing its secret', async () => {
  const { status, body } = await rail.post('/admin/accounts', { id: 'no spaces', secret: 'too short' });
  expect([status, body.code]).toEqual([400, 'invalid_request']);
  expect(body.message).not.toContain('too short');
});

test('a fault affects the next `count` calls of its operation and reference', async () => {
  const [struck, spared] = [newReference(), newReference()];
  await rail.post('/admin/faults', { operation: 'lookup', mode: '500', count: 2, reference: struck });
  expect((await rail.lookup(spared)).status).toBe(404);
  expect((await rail.authorize('approved', { reference: struck })).status).toBe(200);
  const statuses = [];
  for (let count = 0; count < 3; count++) statuses.push((await rail.lookup(struck)).status);
  expect(statuses).toEqual([500, 500, 200]);
});

test('a fault set for one account does not affect other accounts', async () => {
  await rail.post('/admin/faults', { operation: '*', mode: '500', account: 'acct_other' });
  expect((await rail.lookup(newReference())).status).toBe(404);
});

test('faults can be listed and cleared', async () => {
  await rail.post('/admin/faults', { operation: 'cancel', mode: 'delay', delayMs: 10 });
  expect((await rail.get('/admin/faults')).body).toEqual([
    { operation: 'cancel', mode: 'delay', count: 1, delayMs: 10 },
  ]);
  await fetch(`${rail.url}/admin/faults`, { method: 'DELETE' });
  expect((await rail.get('/admin/faults')).body).toEqual([]);
});

test('a charge takes effect before its delayed response', async () => {
  const reference = newReference();
  await rail.post('/admin/faults', { operation: 'authorize', mode: 'delay-after', delayMs: 3_000 });
  let answered = false;
  const answer = rail.authorize('approved', { reference }).finally(() => {
    answered = true;
  });
  await eventually(async () => expect(await rail.ledgerOf(reference)).toHaveLength(1));
  expect(answered).toBe(false);
  expect((await answer).body.status).toBe('approved');
});

test('an unknown fault is rejected', async () => {
  const { status } = await rail.post('/admin/faults', { operation: 'authorize', mode: 'catch-fire' });
  expect(status).toBe(400);
});

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['192.168.1.20', false],
  ['::ffff:10.0.0.1', false],
  ['2001:db8::1', false],
  [undefined, false],
])('%s is a loopback address: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});
