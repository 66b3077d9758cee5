/** It takes two people to replace a production rail account or change its keys; the merchant is notified. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../../db/core/pool.ts';
import type { Rail } from '../../../../rail/rail.ts';
import { expectRefusal } from '../../../support/api/api.ts';
import { type PeopleApi, startPeopleApi } from '../../../support/api/people-api.ts';
import { insertMerchant } from '../../../support/db/fixtures.ts';

/** Accounts that cannot take cards. */
const closed = new Set<string>();
let whileProbed: () => Promise<unknown> = async () => {};

/** A rail whose credential names the account. */
const rail = {
  name: 'stripe',
  credentialFields: ['key', 'public', 'hook'].map((name) => ({
    name,
    environmentVariable: name.toUpperCase(),
    description: name,
  })),
  probe: async ({ credential }) => {
    await whileProbed();
    return {
      identity: credential.key ?? null,
      usable: !closed.has(credential.key ?? ''),
      whole: true,
      findings: [],
      capabilities: { cardFields: true, recurring: true, wallets: [], refunds: true, currencies: ['EUR'] },
    };
  },
} satisfies Partial<Rail> as unknown as Rail;

let api: PeopleApi;
let merchantId: string;

beforeAll(async () => {
  api = await startPeopleApi({ secondPersonAbove: 0, rails: new Map([['stripe', rail]]) });
}, 300_000);
afterAll(() => api?.stop());
beforeEach(async () => {
  merchantId = await insertMerchant(api.pool);
});

async function by(sub: string, method: string, path: string, body?: object) {
  const token = await api.provider.token({ role: 'platform', sub });
  return api.request(method, path, { headers: { authorization: `Bearer ${token}` }, ...(body && { body }) });
}
const set = (sub: string, key: string, environment: string) =>
  by(sub, 'POST', `/v1/merchants/${merchantId}/rail-accounts`, {
    environment,
    rail: 'stripe',
    credential: { key },
    replace: true,
  });
const setKeys = (sub: string, credential: object, environment = 'production') =>
  by(sub, 'POST', `/v1/merchants/${merchantId}/rail-accounts`, { environment, rail: 'stripe', credential });
const waiting = () =>
  api.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select id from operator_requests where merchant_id = ${merchantId} and carried_out_at is null`);
const inUse = () =>
  api.pool.manyFirst(sql.type(z.object({ id: z.string() }))`
    select id from rail_accounts where merchant_id = ${merchantId} and status = 'active'`);
const alerts = () =>
  api.pool.anyFirst(sql.type(z.object({ alert: z.string() }))`
    select code || ' ' || reference as alert from operator_alerts where merchant_id = ${merchantId}`);

test('one person alone cannot replace an account; after a second person confirms, the merchant is notified', async () => {
  const { body: first } = await set('ada', 'acct_theirs', 'production');
  expect(await inUse()).toEqual([first.id]);
  for (let tries = 0; tries < 2; tries++) {
    expectRefusal(await set('ada', 'acct_thiefs', 'production'), 409, 'rail_account_refused');
  }
  const request = await waiting();
  expectRefusal(
    await by('ada', 'POST', `/v1/operations/requests/${request}/confirm`),
    409,
    'operation_refused',
  );
  expectRefusal(await set('ada', 'acct_thiefs', 'production'), 409, 'rail_account_refused');
  expect([await inUse(), await alerts()]).toEqual([[first.id], []]);

  expect((await by('eve', 'POST', `/v1/operations/requests/${request}/confirm`)).status).toBe(200);
  expectRefusal(await set('ada', 'acct_other', 'production'), 409, 'rail_account_refused');
  const { status, body } = await set('ada', 'acct_thiefs', 'production');
  expect(status).toBe(200);
  expect(await inUse()).toEqual([body.id]);
  expect(await alerts()).toEqual([`rail_account_replaced ${first.id}`]);
  expect(await api.audited(merchantId)).toContainEqual(
    expect.objectContaining({
      action: 'rail_account.replaced',
      actor: 'person:ada, confirmed by person:eve',
      subject_id: first.id,
    }),
  );
  // Switching back is another replacement.
  expectRefusal(await set('ada', 'acct_theirs', 'production'), 409, 'rail_account_refused');
});

test('one person alone cannot replace an account after withdrawing the request', async () => {
  await set('ada', 'acct_theirs', 'production');
  await set('ada', 'acct_thiefs', 'production');
  await by('eve', 'POST', `/v1/operations/requests/${await waiting()}/withdraw`, { reason: 'not agreed' });
  expectRefusal(await set('ada', 'acct_thiefs', 'production'), 409, 'rail_account_refused');
});

test('a confirmation allows one replacement', async () => {
  const replace = async (sub: string, key: string) => {
    await set(sub, key, 'production');
    await by('eve', 'POST', `/v1/operations/requests/${await waiting()}/confirm`);
    expect((await set(sub, key, 'production')).status).toBe(200);
  };
  await set('ada', 'acct_theirs', 'production');
  await replace('ada', 'acct_thiefs');
  // A repeated request, as after a lost answer, changes nothing.
  expect((await set('ada', 'acct_thiefs', 'production')).status).toBe(200);
  await replace('bob', 'acct_theirs');
  expectRefusal(await set('ada', 'acct_thiefs', 'production'), 409, 'rail_account_refused');
});

test('a check, or an added key, does not use up a confirmation', async () => {
  const { body: first } = await setKeys('ada', { key: 'acct_theirs', public: 'theirs' });
  await set('ada', 'acct_other', 'production');
  await by('eve', 'POST', `/v1/operations/requests/${await waiting()}/confirm`);
  const path = `/v1/merchants/${merchantId}/rail-accounts/${first.id}/check`;
  expect((await by('ada', 'POST', path, { apply: true })).status).toBe(200);
  expect((await setKeys('ada', { hook: 'added' })).status).toBe(200);
  expect((await set('ada', 'acct_other', 'production')).status).toBe(200);
});

test.each([
  ['replacement', (account: string) => set('ada', `acct_${account}`, 'production')],
  ['change of keys', (name: string) => setKeys('ada', { public: name })],
])(
  'a confirmed %s that could not be stored keeps its confirmation until it succeeds once',
  async (_name, change) => {
    const confirmed = async (name: string) => {
      await change(name);
      await by('eve', 'POST', `/v1/operations/requests/${await waiting()}/confirm`);
    };
    const { body: first } = await setKeys('ada', { key: 'acct_theirs', public: 'theirs' });
    await confirmed('other');
    await api.pool.query(sql.unsafe`alter table rail_accounts add constraint fails check (false) not valid`);
    try {
      expectRefusal(await change('other'), 500, 'internal_error');
    } finally {
      await api.pool.query(sql.unsafe`alter table rail_accounts drop constraint fails`);
    }
    const setStatus = (status: string) =>
      api.pool.query(sql.unsafe`update rail_accounts set status = ${status} where id = ${first.id}`);
    whileProbed = () => setStatus('disabled');
    try {
      expectRefusal(await change('other'), 409, 'rail_account_refused');
    } finally {
      whileProbed = async () => {};
      await setStatus('active');
    }
    expect((await change('other')).status).toBe(200);
    await confirmed('theirs');
    expect((await change('theirs')).status).toBe(200);
    expectRefusal(await change('other'), 409, 'rail_account_refused');
  },
);

test('a check by one person does not enable a former account', async () => {
  const { body: first } = await set('ada', 'acct_thiefs', 'production');
  await set('ada', 'acct_theirs', 'production');
  await by('eve', 'POST', `/v1/operations/requests/${await waiting()}/confirm`);
  const { body: latest } = await set('ada', 'acct_theirs', 'production');
  await api.pool.query(sql.unsafe`update rail_accounts set status = 'disabled' where id = ${latest.id}`);
  const check = (id: string) =>
    by('ada', 'POST', `/v1/merchants/${merchantId}/rail-accounts/${id}/check`, { apply: true });
  expectRefusal(await check(first.id), 409, 'rail_account_refused');
  expect((await check(latest.id)).body.status).toBe('active');
});

test('one person alone cannot replace an account that was once active', async () => {
  await set('ada', 'acct_theirs', 'production');
  closed.add('acct_theirs');
  try {
    expect((await set('ada', 'acct_theirs', 'production')).body.status).toBe('activating');
    expectRefusal(await set('ada', 'acct_thiefs', 'production'), 409, 'rail_account_refused');
  } finally {
    closed.clear();
  }
});

test('the merchant is notified of a new account even if its processor had refused the former one', async () => {
  const { body: first } = await set('ada', 'acct_theirs', 'sandbox');
  await api.pool.query(sql.unsafe`update rail_accounts set status = 'disabled' where id = ${first.id}`);
  await set('ada', 'acct_other', 'sandbox');
  expect(await alerts()).toEqual([`rail_account_replaced ${first.id}`]);
});

test('an account that was never active is replaced by one person', async () => {
  closed.add('acct_first');
  try {
    expect((await set('ada', 'acct_first', 'production')).body.status).toBe('activating');
    expect((await set('ada', 'acct_theirs', 'production')).body.status).toBe('active');
  } finally {
    closed.clear();
  }
});

test('one person alone cannot change keys of an account; after a second person confirms, the merchant is notified', async () => {
  const { body: first } = await setKeys('ada', { key: 'acct_theirs', public: 'theirs' });
  expectRefusal(await setKeys('ada', { public: 'other' }), 409, 'rail_account_refused');
  const withAll = { key: 'acct_theirs', public: 'other' };
  expectRefusal(await setKeys('ada', withAll), 409, 'rail_account_refused');
  expect(await alerts()).toEqual([]);
  const { message } = (await by('eve', 'POST', `/v1/operations/requests/${await waiting()}/confirm`)).body;
  expect(message).toBe('Confirmed. To use the keys of acct_theirs, set them again within a day.');
  expectRefusal(await setKeys('ada', { public: 'swapped' }), 409, 'rail_account_refused');
  expect(await alerts()).toEqual([]);
  expect((await setKeys('ada', { public: 'other' })).status).toBe(200);
  expect(await alerts()).toEqual([`rail_account_keys_changed ${first.id}`]);
  expect(await api.audited(merchantId)).toContainEqual(
    expect.objectContaining({
      action: 'rail_account.set',
      actor: 'person:ada, confirmed by person:eve',
      subject_id: first.id,
    }),
  );
});

test('while a request is pending, other keys are refused with an error that names the request to withdraw', async () => {
  await setKeys('ada', { key: 'acct_theirs', public: 'theirs' });
  await setKeys('ada', { public: 'mistyped' });
  const request = await waiting();
  const { body } = await setKeys('ada', { public: 'right' });
  expect(body).toMatchObject({
    code: 'rail_account_refused',
    message: expect.stringContaining(`npm run ops -- withdraw ${request}`),
  });
  expect((await setKeys('ada', { public: 'mistyped' })).body.message).toContain(`confirm ${request}`);

  await by('ada', 'POST', `/v1/operations/requests/${request}/withdraw`, { reason: 'mistyped' });
  await setKeys('ada', { public: 'right' });
  await by('eve', 'POST', `/v1/operations/requests/${await waiting()}/confirm`);
  expect((await setKeys('ada', { public: 'right' })).status).toBe(200);
});

test('one person alone can change keys in the sandbox, and the merchant is notified', async () => {
  const { body: first } = await setKeys('ada', { key: 'acct_theirs', public: 'theirs' }, 'sandbox');
  expect((await setKeys('ada', { public: 'other' }, 'sandbox')).status).toBe(200);
  expect(await alerts()).toEqual([`rail_account_keys_changed ${first.id}`]);
});

test('unchanged keys, an added key, a first account and another sandbox account need no second person', async () => {
  await set('ada', 'acct_theirs', 'production');
  expect((await set('ada', 'acct_theirs', 'production')).status).toBe(200);
  expect((await setKeys('ada', { hook: 'first' })).status).toBe(200);
  expect(await alerts()).toEqual([]);
  await set('ada', 'acct_theirs', 'sandbox');
  expect((await set('ada', 'acct_thiefs', 'sandbox')).status).toBe(200);
});
