/**
 * Every route under /v1/merchants and /v1/operations that changes something, with a token of each role. The routes
 * come from the API description, so that new ones are covered too: a support person can change nothing through any of
 * them.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Role } from '../../../domain/core/permissions.ts';
import { routes } from '../../support/api/api-description.ts';
import { type PeopleApi, startPeopleApi } from '../../support/api/people-api.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';

const CHANGING = routes.filter(
  ({ method, path }) => method !== 'get' && /^\/v1\/(merchants|operations)/.test(path),
);
const all = CHANGING.map(({ describe }) => describe.operationId);
const OF_OPERATORS = [
  'commandSubject',
  'confirmOperation',
  'withdrawOperation',
  'exportCustomer',
  'eraseCustomer',
  'createMerchant',
  'setRailAccount',
  'checkRailAccount',
];
/** A role's permission depends on the field (test/api/merchant/merchants). */
const OF_ALL_BUT_SUPPORT = 'updateMerchant';
/** A role's permission depends on the command (test/api/subscription/people.test.ts). */
const BY_COMMAND = 'commandSubscription';
/** Of owners and platform people. */
const OF_IDENTITY = 'updateMerchantSettings';

let api: PeopleApi;
let shop: Shop;

beforeAll(async () => {
  api = await startPeopleApi();
  shop = await insertShop(api.pool);
});
afterAll(() => api?.stop());

/** Operations that reject a role, whatever the request. */
async function refusedTo(role: Role): Promise<readonly string[]> {
  const refused: string[] = [];
  for (const { method, path, describe } of CHANGING) {
    const url = path.replace(':merchantId', shop.merchantId).replaceAll(/:\w+/g, 'ap_none_0');
    const { status, body } = await api.as(role, shop.merchantId)(method.toUpperCase(), url, {});
    if (status === 403 && body.code === 'administration_forbidden') refused.push(describe.operationId);
  }
  return refused;
}

test('some routes are restricted by role', () => {
  expect(all.length).toBeGreaterThanOrEqual(30);
  expect(all).toEqual(expect.arrayContaining(['refundAsPerson', OF_ALL_BUT_SUPPORT]));
});

test('a support person is refused by each of them', async () => {
  expect(await refusedTo('support')).toEqual(all.filter((each) => each !== BY_COMMAND));
});

test.each(['owner', 'developer'] as const)(
  '%s is refused by the routes for the people who run the installation',
  async (role) => {
    const identity = role === 'developer' ? [OF_IDENTITY] : [];
    expect((await refusedTo(role)).toSorted()).toEqual(
      [...OF_OPERATORS.filter((each) => all.includes(each)), ...identity].toSorted(),
    );
  },
);

test('a platform person is refused by every route for the merchant’s own decisions', async () => {
  const allowed = [...OF_OPERATORS, OF_ALL_BUT_SUPPORT, OF_IDENTITY];
  const merchants = all.filter((each) => !allowed.includes(each));
  expect(await refusedTo('platform')).toEqual(merchants);
});

test.each([
  ['owner', 200],
  ['developer', 403],
  ['support', 403],
  ['platform', 200],
] as const)('the audit log: %s is answered %i', async (role, expected) => {
  const { status } = await api.as(role, shop.merchantId)('GET', `/v1/merchants/${shop.merchantId}/audit`);
  expect(status).toBe(expected);
});
