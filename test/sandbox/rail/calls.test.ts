import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ACCOUNT, credentials, newReference, type RunningRail, startRail } from './running-rail.ts';

let rail: RunningRail;
beforeAll(async () => {
  rail = await startRail();
});
afterAll(() => rail.close());

describe('credentials', () => {
  test.each([
    ['missing', {}],
    ['of another scheme', { Authorization: `Basic ${ACCOUNT.secret}` }],
    ['unknown', { Authorization: 'Bearer not the secret' }],
  ])('%s are rejected', async (_which, headers) => {
    const { status, body } = await rail.get('/v1/charges/x', headers);
    expect([status, body.code]).toEqual([401, 'credentials_invalid']);
  });

  test('are rejected as soon as the secret changes', async () => {
    const account = { ...ACCOUNT, id: 'acct_rotating', secret: 'the_first_of_its_secrets' };
    await rail.rail.putAccount(account);
    expect((await rail.get('/v1/charges/x', credentials('-', account.secret))).status).toBe(404);
    await rail.rail.putAccount({ ...account, secret: 'the_second_of_its_secrets' });
    expect((await rail.get('/v1/charges/x', credentials('-', account.secret))).status).toBe(401);
  });
});

describe('an account that is not active', () => {
  test.each(['activating', 'disabled'] as const)(
    '%s rejects charges but answers look-ups',
    async (status) => {
      const account = { ...ACCOUNT, id: `acct_${status}`, status, secret: `the_secret_of_one_${status}` };
      await rail.rail.putAccount(account);
      const reference = newReference();
      const body = {
        reference,
        amount: 1,
        currency: 'EUR',
        token: 'x',
        challengeReturnUrl: 'http://localhost',
      };
      const charge = await rail.post('/v1/charges', body, credentials('k', account.secret));
      expect([charge.status, charge.body.code]).toEqual([403, `account_${status}`]);
      const lookup = await rail.get(`/v1/charges/${reference}`, credentials('-', account.secret));
      expect(lookup.status).toBe(404);
    },
  );
});

describe('a call', () => {
  test.each([
    ['a negative amount', { amount: -1 }],
    ['a fraction of a cent', { amount: 0.5 }],
    ['an amount of 0 without saveMandate', { amount: 0 }],
    ['a malformed currency', { currency: 'euro' }],
    ['a return URL that is not http', { challengeReturnUrl: 'javascript:alert(1)' }],
    ['a reference with a slash', { reference: 'a/b' }],
  ])('with %s gets 400 and charges nothing', async (_what, wrong) => {
    const { status, body } = await rail.authorize('approved', wrong);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
  });

  test('in a currency that the account cannot charge is rejected', async () => {
    const { status, body } = await rail.authorize('approved', { currency: 'XTS' });
    expect([status, body.code]).toEqual([403, 'currency_not_enabled']);
  });

  test('without an idempotency key is rejected', async () => {
    const { Authorization = '' } = credentials('-');
    const { status, body } = await rail.post('/v1/charges/x/cancel', {}, { Authorization });
    expect([status, body.code]).toEqual([400, 'idempotency_key_invalid']);
  });

  test('with the key of another call is rejected', async () => {
    const reference = newReference();
    await rail.authorize('approved', { reference });
    const headers = credentials(`${reference}:authorize`);
    const { status, body } = await rail.post(`/v1/charges/${reference}/cancel`, {}, headers);
    expect([status, body.code]).toEqual([409, 'idempotency_key_conflict']);
  });

  test('with a new key for a known reference makes no further charge', async () => {
    const reference = newReference();
    const first = await rail.authorize('approved', { reference });
    const body = {
      reference,
      amount: 1_900,
      currency: 'EUR',
      token: await rail.token('approved'),
      challengeReturnUrl: 'http://127.0.0.1:9/back',
    };
    const second = await rail.post('/v1/charges', body, credentials('another-key'));
    expect(second.body).toEqual(first.body);
    expect(await rail.ledgerOf(reference)).toHaveLength(1);
  });

  test('to charge a stored mandate with a new key for a known reference makes no further charge', async () => {
    const { mandate } = (await rail.authorize('later_two_soft_declines', { saveMandate: true })).body;
    const body = { reference: newReference(), amount: 900, currency: 'EUR', mandate };
    const first = await rail.post('/v1/stored-charges', body, credentials(`${body.reference}:charge`));
    const second = await rail.post('/v1/stored-charges', body, credentials(`${body.reference}:again`));
    expect(first.body.status).toBe('declined');
    expect(second.body).toEqual(first.body);
  });

  test('with a different amount for a known reference is rejected', async () => {
    const { body } = await rail.authorize('approved');
    const values = { reference: body.reference, amount: 1, currency: 'EUR' };
    const token = await rail.token('approved');
    const authorize = { ...values, token, challengeReturnUrl: 'http://127.0.0.1:9/back' };
    const second = await rail.post('/v1/charges', authorize, credentials('a-key-of-its-own'));
    expect([second.status, second.body.code]).toEqual([409, 'reference_conflict']);
    const stored = { ...values, mandate: 'mnd_x' };
    const third = await rail.post('/v1/stored-charges', stored, credentials('and-another'));
    expect([third.status, third.body.code]).toEqual([409, 'reference_conflict']);
  });

  test('with malformed JSON gets 400', async () => {
    const response = await fetch(`${rail.url}/v1/charges`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...credentials('k') },
      body: '{ not json',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_request' });
  });

  test.each(['/fields?account=%00&origin=http://x', '/challenge/%00'])('to %s gets 400', async (path) => {
    const { status, body } = await rail.get(path);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
  });

  test('to an unknown route gets 404', async () => {
    const { status, body } = await rail.get('/v2/charges');
    expect([status, body.code]).toEqual([404, 'route_not_found']);
  });
});

describe('the books', () => {
  test('the ledger lists only movements of money and mandates', async () => {
    const [paid, stored, declined, cancelled] = [
      newReference(),
      newReference(),
      newReference(),
      newReference(),
    ];
    await rail.authorize('approved', { reference: paid });
    await rail.authorize('approved', { reference: stored, amount: 0, saveMandate: true });
    await rail.authorize('declined', { reference: declined });
    await rail.cancel(cancelled);
    await rail.lookup(paid);
    const entry = { operation: 'authorize', currency: 'EUR', outcome: 'approved', at: expect.any(String) };
    expect(await rail.ledgerOf(paid)).toEqual([{ reference: paid, amount: 1_900, ...entry }]);
    expect(await rail.ledgerOf(stored)).toEqual([{ reference: stored, amount: 0, ...entry }]);
    expect(await rail.ledgerOf(declined)).toEqual([]);
    expect(await rail.ledgerOf(cancelled)).toEqual([]);
  });

  test('calls are listed in order, rejected calls included', async () => {
    const reference = newReference();
    await rail.authorize('approved', { reference });
    await rail.lookup(reference);
    await rail.get(`/v1/charges/${reference}`);
    const { body } = await rail.get('/requests');
    const rest = { busy: false, at: expect.any(String) };
    const about = body.filter((request: { reference: string }) => request.reference === reference);
    expect(about).toEqual([
      {
        account: ACCOUNT.id,
        operation: 'authorize',
        reference,
        idempotencyKey: `${reference}:authorize`,
        ...rest,
      },
      { account: ACCOUNT.id, operation: 'lookup', reference, idempotencyKey: '-', ...rest },
      { account: null, operation: 'lookup', reference, idempotencyKey: null, ...rest },
    ]);
  });

  test('ledger and calls can be filtered by account', async () => {
    await rail.authorize('approved');
    for (const book of ['/ledger', '/requests']) {
      expect((await rail.get(`${book}?account=acct_nobody`)).body).toEqual([]);
      expect((await rail.get(`${book}?account=${ACCOUNT.id}`)).body).not.toEqual([]);
    }
  });
});
