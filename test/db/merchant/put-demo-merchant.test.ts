import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { prepareDatabase } from '../../../bin/prepare-database.ts';
import { hashApiKey } from '../../../contract/merchant/api-key.ts';
import { stopCoupon } from '../../../db/catalogue/coupons.ts';
import { updateOffering } from '../../../db/catalogue/offerings.ts';
import { updateProduct } from '../../../db/catalogue/products.ts';
import { openPool } from '../../../db/core/pool.ts';
import { findApiKeyHolder } from '../../../db/merchant/api-key-holder.ts';
import { type KeyTerms, revokeApiKey, rotateApiKey } from '../../../db/merchant/api-keys.ts';
import { updateMerchant } from '../../../db/merchant/merchants.ts';
import { updateWebhookEndpoint } from '../../../db/webhook/webhook-endpoints.ts';
import { SecretBox } from '../../../platform/secrets/encryption.ts';
import { railCredentialOf, webhookSecretOf } from '../../../platform/secrets/places.ts';
import { demoMerchants } from '../../../sandbox/stack/demo/demo-merchants.ts';
import { openSecrets } from '../../../sandbox/stack/demo/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';

const PEPPER = 'a pepper of sixteen characters';
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
const TABLES = [
  'merchants',
  'api_keys',
  'products',
  'prices',
  'offerings',
  'coupons',
  'rail_accounts',
  'webhook_endpoints',
  'storefront_clients',
];

let database: TestDatabase;
let plain: pg.Pool;
let dir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  plain = new pg.Pool({ connectionString: database.url });
  dir = await mkdtemp(join(tmpdir(), 'merchants-'));
});
afterAll(async () => {
  await plain.end();
  await database.drop();
  await rm(dir, { recursive: true });
});

const merchants = (more = {}) => demoMerchants(openSecrets(join(dir, 'secrets.json')), more);

function prepare(webhookUrl: string, more = {}): Promise<void> {
  const keys = { apiKeyPepper: PEPPER, secretsKey: SECRETS_KEY };
  return prepareDatabase({
    databaseUrl: database.url,
    ...keys,
    merchants: Object.values(merchants(more)),
    webhookUrl,
  });
}

async function column(table: string, name: string): Promise<unknown[]> {
  const { rows } = await plain.query(`select ${name} as value from ${table} order by id`);
  return rows.map(({ value }) => value);
}

test('demo merchants are inserted once; later starts update only what differs', async () => {
  await prepare('http://127.0.0.1:3000/webhooks');
  const ids = await Promise.all(TABLES.map((table) => column(table, 'id')));
  const created = await column('merchants', 'created_at');
  expect(await column('webhook_endpoints', 'url')).toEqual(['http://127.0.0.1:3000/webhooks']);
  expect(await column('storefront_clients', 'origins')).toEqual([['http://127.0.0.1:3000']]);

  await prepare('http://127.0.0.1:3001/webhooks');
  expect(await Promise.all(TABLES.map((table) => column(table, 'id')))).toEqual(ids);
  expect(await column('merchants', 'created_at')).toEqual(created);
  expect(await column('webhook_endpoints', 'url')).toEqual(['http://127.0.0.1:3001/webhooks']);
  // CORS: only the shop's current origin is allowed.
  expect(await column('storefront_clients', 'origins')).toEqual([['http://127.0.0.1:3001']]);
});

test('demo keys are stored hashed, and credentials encrypted', async () => {
  await prepare('http://127.0.0.1:3000/webhooks');
  const { merchant } = merchants();
  const keys = await column('api_keys', 'key_hmac');
  expect(keys).toContainEqual(hashApiKey(merchant.apiKeys[0]?.key ?? '', PEPPER));
  const box = new SecretBox(SECRETS_KEY);
  const [secret] = (await column('webhook_endpoints', 'secret')) as Buffer[];
  expect(box.open(secret as Buffer, webhookSecretOf(merchant.webhookEndpoint?.id ?? ''))).toBe(
    merchant.webhookEndpoint?.secret,
  );
  const place = (await column('rail_accounts', 'id')).indexOf(merchant.railAccount.id);
  const credential = ((await column('rail_accounts', 'credential')) as Buffer[])[place];
  expect(
    JSON.parse(box.open(credential as Buffer, railCredentialOf(merchant.railAccount.id))),
  ).toHaveProperty('webhookSecret');
  expect(credential?.toString('latin1')).not.toContain('whsec_');
});

test('refunds are enabled on rail accounts only when configured', async () => {
  const declared = () => column('rail_accounts', "capabilities -> 'refunds'");
  await prepare('http://127.0.0.1:3000/webhooks', { refunds: true });
  expect(await declared()).toEqual(Array(5).fill(true));
  await prepare('http://127.0.0.1:3000/webhooks');
  expect(await declared()).toEqual(Array(5).fill(false));
});

describe('a person’s change', () => {
  const ada = { actor: 'person:ada@shop.example', requestId: 'req_1' };
  let pool: Awaited<ReturnType<typeof openPool>>;
  beforeAll(async () => {
    pool = await openPool({ url: database.url });
  });
  afterAll(() => pool.end());

  const one = async (table: string, id: string) => {
    const { rows } = await plain.query(`select * from ${table} where id = $1`, [id]);
    return rows[0];
  };

  test('survives a restart with the same ids and keys', async () => {
    await prepare('http://127.0.0.1:3000/webhooks');
    const { merchant, second } = merchants();
    const endpointId = merchant.webhookEndpoint?.id ?? '';
    const productId = merchant.products.oneTime.id;
    await updateMerchant(
      pool,
      merchant.id,
      {
        name: 'Renamed',
        status: 'inactive',
        branding: { color: '#123456' },
        legal_identity: { vat_id: 'X' },
      },
      ada,
    );
    await updateProduct(pool, { merchantId: merchant.id, productId }, { name: 'Tin mug' }, ada);
    await updateWebhookEndpoint(pool, merchant.id, endpointId, { url: 'https://shop.example/hooks' }, ada);
    await updateMerchant(pool, second.id, { capabilities: { subscriptions: false } }, ada);
    const changed = async () => [
      await one('merchants', merchant.id),
      await one('products', productId),
      await one('webhook_endpoints', endpointId),
      await one('merchants', second.id),
    ];
    const before = await changed();

    await prepare('http://127.0.0.1:3002/webhooks');
    expect(await changed()).toEqual(before);
    expect(before[0]).toMatchObject({ name: 'Renamed', status: 'inactive' });
  });

  test('to the offering and the coupon survives a restart', async () => {
    const { id: merchantId, offering, coupon, products } = merchants().merchant;
    const [kept = '', removed = ''] = offering?.planIds ?? [];
    expect(await one('products', removed)).toMatchObject({ offering_id: offering?.id, quantity_max: 10 });
    await updateOffering(pool, { merchantId, offeringId: offering?.id ?? '' }, { plan_ids: [kept] }, ada);
    await stopCoupon(pool, merchantId, coupon?.id ?? '', ada);

    await prepare('http://127.0.0.1:3000/webhooks');
    expect(removed).toBe(products.office?.id);
    expect(await one('products', removed)).toMatchObject({ offering_id: null });
    expect(await one('coupons', coupon?.id ?? '')).toMatchObject({ status: 'stopped' });
  });

  test('to API keys survives a restart: revoked and expiring keys stay so', async () => {
    const [sandbox, live] = merchants().merchant.apiKeys;
    const { id: merchantId } = merchants().merchant;
    if (!sandbox || !live) throw new Error('expected two keys');
    await revokeApiKey(pool, merchantId, sandbox.id, ada);
    const makeKey = (terms: KeyTerms) => ({
      key: '',
      stored: { ...terms, hmac: Buffer.from('another'), last4: 'last' },
    });
    await rotateApiKey(pool, merchantId, { keyId: live.id, overlapHours: 0, makeKey }, ada);

    await prepare('http://127.0.0.1:3000/webhooks');
    for (const { key } of [sandbox, live]) {
      expect(await findApiKeyHolder(pool, hashApiKey(key, PEPPER))).toBeNull();
    }
  });

  test('to rail accounts survives a restart: the account set by a person stays in use', async () => {
    const { id: merchantId, railAccount } = merchants().second;
    const theirs = { merchant_id: merchantId, environment: 'sandbox', actor: ada.actor };
    await plain.query(`update rail_accounts set status = 'disabled' where id = $1`, [railAccount.id]);
    await plain.query(
      `insert into rail_accounts (id, merchant_id, environment, rail, status, was_active, capabilities, credential)
       values ('ap_rac_1', $1, 'sandbox', 'stripe', 'active', true, '{}', '')`,
      [merchantId],
    );
    await plain.query(
      `insert into audit_log (merchant_id, environment, actor, action, subject_id)
       values ($1, $2, $3, 'rail_account.set', 'ap_rac_1')`,
      Object.values(theirs),
    );
    await prepare('http://127.0.0.1:3000/webhooks');
    expect((await one('rail_accounts', 'ap_rac_1')).status).toBe('active');
    expect((await one('rail_accounts', railAccount.id)).status).toBe('disabled');
  });

  test('does not prevent corrections of other rows', async () => {
    const { id } = merchants().noSubscriptions;
    await plain.query(`update merchants set name = 'x', subscriptions_enabled = true where id = $1`, [id]);
    await prepare('http://127.0.0.1:3000/webhooks');
    expect(await one('merchants', id)).toMatchObject({
      name: 'One-off Sales Only',
      subscriptions_enabled: false,
    });
  });
});
