/** A rejected credential disables the account only if it is still the current one. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { railCredentialOf } from '../../../platform/secrets/places.ts';
import { eventually } from '../../support/core/eventually.ts';
import { testSecretBox } from '../../support/db/fixtures.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

let world: SessionWorld;
let duringCall: () => Promise<unknown> = async () => {};
let refusals = 0;

beforeAll(async () => {
  world = await createSessionWorld({
    wrapRail: (rail) => ({
      ...rail,
      authorize: async () => {
        await duringCall();
        refusals += 1;
        return { kind: 'unknown', reason: 'account_refused' };
      },
    }),
  });
  await world.startWorker();
});
afterAll(() => world?.close());
afterEach(() => {
  duringCall = async () => {};
  refusals = 0;
});

const status = () =>
  world.pool.oneFirst(sql.type(z.object({ status: z.string() }))`
    select status from rail_accounts where id = ${world.shop.railAccountId}`);
const alerts = () =>
  world.pool.oneFirst(sql.type(z.object({ count: z.number() }))`
    select count(*)::integer as count from operator_alerts where code = 'rail_account_disabled'`);
async function payRefused(): Promise<void> {
  const id = await world.session();
  await world.pay(id, '4242424242424242');
  await eventually(() => expect(refusals).toBe(1));
  await eventually(async () => expect((await world.view(id)).openAttempt?.called).toBe(true));
}

test('an account stays in use if its credential is replaced while the rail rejects the old one', async () => {
  const { railAccountId } = world.shop;
  duringCall = () =>
    world.pool.query(sql.unsafe`
      update rail_accounts set credential = ${sql.binary(
        testSecretBox.seal(JSON.stringify({ token: 'the new one' }), railCredentialOf(railAccountId)),
      )} where id = ${railAccountId}`);
  await payRefused();
  // The refusal is reported before the outcome of the call is recorded.
  await eventually(async () =>
    expect(await world.pool.exists(sql.unsafe`select from rail_answers where outcome = 'unknown'`)).toBe(
      true,
    ),
  );
  expect([await status(), await alerts()]).toEqual(['active', 0]);
});

test('an account whose credential is rejected is disabled, with one alert', async () => {
  await payRefused();
  await eventually(async () => expect([await status(), await alerts()]).toEqual(['disabled', 1]));
});
