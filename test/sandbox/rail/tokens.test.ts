import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ACCOUNT, cardDetails, newReference, type RunningRail, startRail } from './running-rail.ts';

let rail: RunningRail;
beforeAll(async () => {
  rail = await startRail();
});
afterAll(() => rail.close());

const APPROVED = '4242424242424242';

test('a test card becomes a token that reveals only brand and last four digits', async () => {
  const { status, body } = await rail.post('/tokens', cardDetails('4242 4242 4242 4242'));
  expect(status).toBe(201);
  expect(body).toEqual({
    token: expect.stringMatching(/^tok_/),
    method: { type: 'card', brand: 'visa', last4: '4242' },
  });
});

test('a wallet can be tokenized and charged', async () => {
  const { status, body } = await rail.post('/wallet-tokens', { account: ACCOUNT.id, wallet: 'apple_pay' });
  expect(status).toBe(201);
  const charge = await rail.authorize('approved', { token: body.token });
  expect(charge.body).toMatchObject({ status: 'approved', method: { type: 'apple_pay' } });
});

test.each([
  ['a real card number, even a valid one', { number: '4539578763621486' }, 'not_a_test_card'],
  ['a number with a wrong digit', { number: '4242424242424241' }, 'number_invalid'],
  ['a number without digits', { number: 'four two' }, 'number_invalid'],
  ['an expired card', { expMonth: 1, expYear: 2020 }, 'expiry_past'],
  ['a security code of two digits', { cvc: '12' }, 'cvc_invalid'],
])('%s is rejected', async (_what, wrong, code) => {
  const { status, body } = await rail.post('/tokens', { ...cardDetails(APPROVED), ...wrong });
  expect(status).toBe(422);
  expect(body.code).toBe(code);
  expect(JSON.stringify(body)).not.toMatch(/\d{12}/);
});

test.each([
  ['no number', { number: undefined }],
  ['an invalid month', { expMonth: 13 }],
  ['a year as a string', { expYear: '2040' }],
])('%s gets 400', async (_what, wrong) => {
  const { status, body } = await rail.post('/tokens', { ...cardDetails(APPROVED), ...wrong });
  expect([status, body.code]).toEqual([400, 'invalid_request']);
});

test('an unknown account gets no token', async () => {
  const { status, body } = await rail.post('/tokens', { ...cardDetails(APPROVED), account: 'acct_none' });
  expect([status, body.code]).toEqual([404, 'account_not_found']);
});

test.each(['activating', 'disabled'] as const)('an account that is %s gets no token', async (status) => {
  const id = `acct_${status}`;
  await rail.rail.putAccount({ ...ACCOUNT, id, status, secret: `another_secret_${status}` });
  const answer = await rail.post('/tokens', { ...cardDetails(APPROVED), account: id });
  expect([answer.status, answer.body.code]).toEqual([403, `account_${status}`]);
});

test('a wallet that the account has not enabled is rejected', async () => {
  const id = 'acct_without_wallets';
  await rail.rail.putAccount({ ...ACCOUNT, id, secret: 'the_secret_of_no_wallets', wallets: [] });
  const answer = await rail.post('/wallet-tokens', { account: id, wallet: 'google_pay' });
  expect([answer.status, answer.body.code]).toEqual([403, 'wallet_not_enabled']);
});

test('a token of another account is declined', async () => {
  const id = 'acct_neighbour';
  await rail.rail.putAccount({ ...ACCOUNT, id, secret: 'the_secret_of_the_neighbour' });
  const { body } = await rail.post('/tokens', { ...cardDetails(APPROVED), account: id });
  const reference = newReference();
  const charge = await rail.authorize('approved', { reference, token: body.token });
  expect(charge.body).toMatchObject({ status: 'declined', declineCode: 'token_invalid' });
  expect(await rail.ledgerOf(reference)).toEqual([]);
});
