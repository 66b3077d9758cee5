/**
 * Every route under /v1/merchants and /v1/operations with a token of each role. The routes come from the API
 * description, so a new one that changes something fails here until this table names its roles.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROLES, type Role } from '../../../../domain/core/permissions.ts';
import { routes } from '../../../support/api/api-description.ts';
import { type PeopleApi, startPeopleApi } from '../../../support/api/people-api.ts';
import { insertShop, type Shop } from '../../../support/db/fixtures.ts';

const OURS = routes.filter(({ path }) => /^\/v1\/(merchants|operations)/.test(path));

const SELLERS: readonly Role[] = ['owner', 'manager', 'developer'];
const BUILDERS: readonly Role[] = ['owner', 'developer'];
const SERVERS: readonly Role[] = ['owner', 'manager', 'support'];
const OPERATORS: readonly Role[] = ['platform'];

/** The roles that may use each mutating route. */
const CHANGES: Readonly<Record<string, readonly Role[]>> = {
  createProduct: SELLERS,
  updateProduct: SELLERS,
  createPrice: SELLERS,
  updatePrice: SELLERS,
  createOffering: SELLERS,
  updateOffering: SELLERS,
  createCoupon: ['owner', 'manager'],
  updateCoupon: ['owner', 'manager'],
  createPriceMove: ['owner', 'manager'],
  updatePriceMove: ['owner', 'manager'],
  createStorefrontClient: BUILDERS,
  updateStorefrontClient: BUILDERS,
  createWebhookEndpoint: BUILDERS,
  updateWebhookEndpoint: BUILDERS,
  deleteWebhookEndpoint: BUILDERS,
  rotateWebhookEndpointSecret: BUILDERS,
  sendTestEvent: BUILDERS,
  recoverWebhookEndpoint: BUILDERS,
  resendWebhookEvent: ['owner', 'manager', 'support', 'developer'],
  createApiKey: BUILDERS,
  rotateApiKey: BUILDERS,
  revokeApiKey: BUILDERS,
  // Support may refund up to a limit, which test/api/people-routes.test.ts covers.
  createRefundAsPerson: SERVERS,
  linkMethodChange: SERVERS,
  linkInvoice: SERVERS,
  updateCustomer: SERVERS,
  // test/api/subscription/people.test.ts covers the commands of each role.
  commandSubscription: ['owner', 'manager', 'support', 'developer'],
  // test/api/merchant/merchants/update-merchant.test.ts covers the fields of each role.
  updateMerchant: ['owner', 'manager', 'developer', 'platform'],
  updateMerchantSettings: ['owner', 'platform'],
  createMerchant: OPERATORS,
  setRailAccount: OPERATORS,
  checkRailAccount: OPERATORS,
  commandSubject: OPERATORS,
  confirmOperation: OPERATORS,
  withdrawOperation: OPERATORS,
  exportCustomer: OPERATORS,
  eraseCustomer: OPERATORS,
};

/** The roles that may use reads not open to every role. */
const READS: Readonly<Record<string, readonly Role[]>> = {
  listAudit: ['owner', 'platform'],
  listMerchantHealth: ['support', 'platform'],
  listIncidents: ['support', 'platform'],
  listOperatorAudit: OPERATORS,
  searchSubjects: ['support', 'platform'],
  explainSubject: ['support', 'platform'],
};

let api: PeopleApi;
let shop: Shop;

beforeAll(async () => {
  api = await startPeopleApi();
  shop = await insertShop(api.pool);
});
afterAll(() => api?.stop());

/** Whether the role is refused whatever the request contains. */
async function isRefused(role: Role, { method, path }: (typeof OURS)[number]): Promise<boolean> {
  const url = path.replace(':merchantId', shop.merchantId).replaceAll(/:\w+/g, 'ap_none_0');
  const body = method === 'get' ? undefined : {};
  const answer = await api.as(role, shop.merchantId)(method.toUpperCase(), url, body);
  return answer.status === 403 && answer.body.code === 'administration_forbidden';
}

test('the table names every route that changes something', () => {
  const changing = OURS.filter(({ method }) => method !== 'get').map(
    ({ describe: { operationId } }) => operationId,
  );
  expect(Object.keys(CHANGES).sort()).toEqual(changing.sort());
});

describe.each(ROLES)('%s', (role) => {
  test.each([
    ['changes', CHANGES],
    ['reads', READS],
  ] as const)('%s exactly what the table allows', async (kind, table) => {
    const wrong: string[] = [];
    for (const route of OURS) {
      const { operationId } = route.describe;
      if ((route.method === 'get') !== (kind === 'reads')) continue;
      const may = table[operationId]?.includes(role) ?? true;
      if ((await isRefused(role, route)) === may) wrong.push(operationId);
    }
    expect(wrong).toEqual([]);
  });
});
