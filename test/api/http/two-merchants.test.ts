/**
 * Two merchants, two environments, every route, every id: neither's credentials can see or change anything of
 * the other. The routes come from the API description, so that new ones are covered too.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, startTestApi, type TestApi } from '../../support/api/api.ts';
import { routes } from '../../support/api/api-description.ts';
import { type Belongings, insertBelongings, rowsOf } from '../../support/api/belongings.ts';
import { asPerson, testPeopleGate } from '../../support/api/people.ts';
import { insertApiKey, insertShop, type Shop } from '../../support/db/fixtures.ts';

/** The catalogue serves both environments (docs/contract.md#environments). */
const OF_BOTH_ENVIRONMENTS = /^ap_(mer|prod|price|off)_/;
/** Routes that only echo their body. */
const ECHOES = new Set(['echoInvoiceSettings', 'echoInvoiceSettingsById']);
const AN_ID = /^(ap_[a-z]+|evt)_/;

interface Stranger {
  readonly headers: Record<string, string>;
  /** The merchant ids put into the path. */
  readonly merchants: readonly string[];
  /** Ids that the stranger must not reach. */
  readonly ids: readonly string[];
}

let api: TestApi;
let owner: Belongings;
let other: Shop;
let liveKey: string;

beforeAll(async () => {
  api = await startTestApi({ merchantGate: testPeopleGate });
  owner = await insertBelongings(api);
  other = await insertShop(api.pool);
  liveKey = await insertApiKey(api.pool, { merchantId: owner.shop.merchantId, environment: 'production' });
});
afterAll(() => api?.stop());

const strangers: readonly (readonly [string, () => Stranger])[] = [
  ['the key of another merchant', () => ofOther({ authorization: `Bearer ${other.apiKey}` })],
  ['a person of another merchant', () => ofOther(asPerson(other.merchantId))],
  [
    'the same merchant\u2019s key of the other environment',
    () => ({
      headers: { authorization: `Bearer ${liveKey}` },
      merchants: [owner.shop.merchantId],
      ids: owner.ids.filter((id) => !OF_BOTH_ENVIRONMENTS.test(id)),
    }),
  ],
];

function ofOther(headers: Record<string, string>): Stranger {
  const merchants = [other.merchantId, owner.shop.merchantId];
  return { headers, merchants, ids: [owner.shop.merchantId, ...owner.ids] };
}

test('the first merchant has an object of every kind', () => {
  const kinds = owner.ids.map((id) => id.slice(0, id.lastIndexOf('_')));
  const all =
    'acct ap_chk ap_cpn ap_cus ap_inv ap_key ap_off ap_ord ap_pay ap_pcl ap_pm ap_price ap_prod ap_ref ap_sub ap_whe evt';
  expect(kinds.sort().join(' ')).toBe(all);
});

describe.each(strangers)('with %s', (_, asked) => {
  let before: readonly string[];
  beforeAll(async () => {
    before = await rowsThatStay();
  });

  test.each(routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
    '%s',
    async (_name, route) => {
      const stranger = asked();
      const requests = requestsTo(route, stranger);
      const answers = await Promise.all(requests.map((request) => send(route.method, request, stranger)));
      answers.forEach((answer, index) => {
        const request = requests[index];
        if (!request) throw new Error('an answer without a request');
        const { path, body, reachesFor } = request;
        const answered = JSON.stringify(answer.body);
        const told = `${path} ${JSON.stringify(body)}: ${answer.status} ${answered}`;
        const echo = ECHOES.has(route.describe.operationId);
        if (reachesFor && !echo) expect(told).toMatch(/: 4\d\d /);
        const shown = stranger.ids.filter((id) => id !== reachesFor && answered.includes(id));
        expect({ told, shown }).toEqual({ told, shown: [] });
      });
      expect(await rowsThatStay()).toEqual(before);
    },
  );
});

interface StrangersRequest {
  readonly path: string;
  readonly body: unknown;
  /** The foreign id in the request; undefined if it contains none. */
  readonly reachesFor: string | undefined;
}

type DescribedRoute = (typeof routes)[number];

/**
 * Puts each id into each parameter of path and body that accepts one; the rest of the request is as its own merchant
 * would send it.
 */
function requestsTo(route: DescribedRoute, { merchants, ids }: Stranger): readonly StrangersRequest[] {
  const { path, describe: described } = route;
  const names = [...path.matchAll(/:(\w+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'merchantId');
  const example = JSON.stringify(described.body?.example ?? null);
  const takesIds = names.length > 0 || idsIn(example).length > 0;
  return merchants.flatMap((merchant) => {
    const foreign = merchant === owner.shop.merchantId && merchants.length > 1;
    const named = path.replace(':merchantId', merchant);
    if (!takesIds) {
      const reachesFor = foreign && path.includes(':merchantId') ? merchant : undefined;
      return [{ path: named, body: described.body?.example, reachesFor }];
    }
    return ids.map((id) => ({
      path: named.replaceAll(/:\w+/g, id),
      body: described.body && JSON.parse(example, (_key, value) => (isId(value) ? id : value)),
      reachesFor: id,
    }));
  });
}

const isId = (value: unknown) => typeof value === 'string' && AN_ID.test(value);
const idsIn = (json: string) => json.match(/"((?:ap_[a-z]+|evt)_[^"]+)"/g) ?? [];

function send(method: string, { path, body }: StrangersRequest, { headers }: Stranger): Promise<Answer> {
  return api.request(method.toUpperCase(), path, {
    headers: { 'idempotency-key': randomUUID(), ...headers },
    ...(body !== undefined && { body }),
  });
}

/** The stranger's own traffic writes only its own rows: pinned responses, and the other environment. */
async function rowsThatStay(): Promise<readonly string[]> {
  const rows = await rowsOf(api, owner.shop.merchantId);
  return rows.filter(
    (row) => !/^idempotency_keys /.test(row) && !row.includes('"environment": "production"'),
  );
}
