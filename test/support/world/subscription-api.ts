/** The API on top of the checkout's world: its routes with real workflows behind them. */
import { startTestApi, type TestApi } from '../api/api.ts';
import { testPeopleGate } from '../api/people.ts';
import { insertApiKey, RECURRING } from '../db/fixtures.ts';
import { insertOffering, insertPlan } from '../db/subscriptions.ts';
import { createSessionWorld, type SessionWorld } from './checkout-world.ts';
import { subscribe } from './subscription-world.ts';

export interface SubscriptionApi {
  readonly api: TestApi;
  readonly world: SessionWorld;
  readonly apiKey: string;
  /** Monthly prices: 9.00 (per unit, up to 50) and 19.00 in one offering; 7.00 in another. */
  readonly plans: { readonly basic: string; readonly plus: string; readonly elsewhere: string };
  readonly offerings: { readonly first: string; readonly second: string };
  subscribe(options?: { productId?: string; card?: string }): Promise<string>;
  post(path: string, body?: unknown, key?: string | null, apiKey?: string): ReturnType<TestApi['request']>;
  stop(): Promise<void>;
}

let keys = 0;

export async function startSubscriptionApi(): Promise<SubscriptionApi> {
  const world = await createSessionWorld();
  await world.startWorker();
  const api = await startTestApi({
    merchantGate: testPeopleGate,
    databaseUrl: world.databaseUrl,
    temporal: { address: process.env.TEST_TEMPORAL_ADDRESS ?? '', namespace: world.namespace },
  });
  const { pool, shop } = world;
  const first = await insertOffering(pool, shop.merchantId);
  const second = await insertOffering(pool, shop.merchantId, 'Tee');
  const plans = {
    basic: await insertPlan(pool, shop.merchantId, first, RECURRING, { min: 1, max: 50 }),
    plus: await insertPlan(pool, shop.merchantId, first, { ...RECURRING, amount: 1_900 }),
    elsewhere: await insertPlan(pool, shop.merchantId, second, { ...RECURRING, amount: 700 }),
  };
  return {
    api,
    world,
    plans,
    apiKey: shop.apiKey,
    offerings: { first, second },
    subscribe: (options) => subscribe(world, { productId: plans.basic, ...options }),
    /** @param key an Idempotency-Key; a new one when absent, none when null */
    post: (path, body, key = `key-${++keys}`, apiKey = shop.apiKey) =>
      api.request('POST', path, {
        apiKey,
        ...(body !== undefined && { body }),
        ...(key !== null && { headers: { 'idempotency-key': key } }),
      }),
    async stop() {
      await api.stop();
      await world.close();
    },
  };
}

/** A key of the same merchant for the other environment. */
export async function liveKeyOf({ world }: SubscriptionApi): Promise<string> {
  return insertApiKey(world.pool, { merchantId: world.shop.merchantId, environment: 'production' });
}
