/** An account that its rail rejects is detected even without purchases. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { z } from 'zod';
import type { ActivityDeps } from '../../../activities/core/deps.ts';
import { guardedRails } from '../../../activities/payment/guarded-rail.ts';
import { askAccounts } from '../../../activities/sweep/ask-accounts.ts';
import { sql } from '../../../db/core/pool.ts';
import { accountsToAsk } from '../../../db/merchant/accounts-to-ask.ts';
import type { Rail } from '../../../rail/rail.ts';
import { createSandboxRail } from '../../../rail/sandbox/index.ts';
import { insertRailAccount, insertShop, type Shop, testSecretBox } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let db: OpenTestDatabase;
let shop: Shop;
const asked: string[] = [];
let isRefused = false;

beforeAll(async () => {
  db = await openTestDatabase();
  shop = await insertShop(db.pool);
});
afterAll(() => db?.close());

const sandbox = createSandboxRail({ baseUrl: 'http://127.0.0.1:1' });
const rail = {
  ...sandbox,
  askAccount: async ({ account }) => {
    asked.push(account.id);
    return isRefused ? { kind: 'unknown', reason: 'account_refused' } : { kind: 'active' };
  },
} as Rail;

async function round(): Promise<readonly string[]> {
  asked.length = 0;
  const given = {
    pool: db.pool,
    logger: pino({ level: 'silent' }),
    secretBox: testSecretBox,
    session: { railCallTimeoutSeconds: 4 },
    rails: new Map([['sandbox', rail]]),
  } as unknown as ActivityDeps;
  await askAccounts({ ...given, rails: guardedRails(given) });
  return [...asked];
}
const minutesLater = (minutes: number) =>
  Promise.all([
    db.pool.query(sql.unsafe`
      update rail_accounts set asked_at = asked_at - ${minutes} * interval '1 minute'`),
    db.pool.query(sql.unsafe`update rail_answers set at = at - ${minutes} * interval '1 minute'`),
  ]);
const status = () =>
  db.pool.oneFirst(sql.type(z.object({ status: z.string() }))`
    select status from rail_accounts where id = ${shop.railAccountId}`);

test('an account without recent attempts is checked every three minutes, and disabled once its rail rejects it', async () => {
  await minutesLater(4);
  expect(await round()).toEqual([shop.railAccountId]);
  expect(await round()).toEqual([]);
  await minutesLater(4);
  isRefused = true;
  expect(await round()).toEqual([shop.railAccountId]);
  expect(await status()).toBe('disabled');
  await minutesLater(4);
  expect(await round()).toEqual([]);
});

test.each([
  ['after a production account', 12, false],
  ['before a production account once it has waited more than ten minutes longer', 15, true],
])(
  'if too many accounts are due for one round, a sandbox account is checked %s',
  async (_, minutes, isFirst) => {
    const { railAccountId: sandbox, ...other } = await insertShop(db.pool);
    const production = await insertRailAccount(db.pool, { ...other, environment: 'production' });
    const askedBefore = (id: string, min: number) =>
      db.pool.query(sql.unsafe`
      update rail_accounts set asked_at = service_clock() - ${`${min} minutes`}::interval where id = ${id}`);
    await askedBefore(production, 4);
    await askedBefore(sandbox, minutes);
    const inRound = async () => (await accountsToAsk(db.pool, 1)).map(({ rail_account_id: id }) => id);
    const order = isFirst ? [sandbox, production] : [production, sandbox];
    expect([await inRound(), await inRound()]).toEqual(order.map((id) => [id]));
  },
);
