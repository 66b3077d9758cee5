import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { prepareDatabase } from '../../bin/prepare-database.ts';
import { hashApiKey } from '../../contract/api-key.ts';
import { SecretBox } from '../../db/secret-box.ts';
import { demoMerchants } from '../../sandbox/stack/demo-merchants.ts';
import { openSecrets } from '../../sandbox/stack/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const PEPPER = 'a pepper of sixteen characters';
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
const TABLES = ['merchants', 'api_keys', 'products', 'prices', 'rail_accounts', 'webhook_endpoints'];

let database: TestDatabase;
let client: pg.Client;
let dir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  dir = await mkdtemp(join(tmpdir(), 'merchants-'));
});
afterAll(async () => {
  await client.end();
  await database.drop();
  await rm(dir, { recursive: true });
});

const merchants = () => demoMerchants(openSecrets(join(dir, 'secrets.json')));

function prepare(webhookUrl: string): Promise<void> {
  const keys = { apiKeyPepper: PEPPER, secretsKey: SECRETS_KEY };
  return prepareDatabase({
    databaseUrl: database.url,
    ...keys,
    merchants: Object.values(merchants()),
    webhookUrl,
  });
}

async function column(table: string, name: string): Promise<unknown[]> {
  const { rows } = await client.query(`select ${name} as value from ${table} order by id`);
  return rows.map(({ value }) => value);
}

it('puts the demo merchants into the database once, and only what differs afterwards', async () => {
  await prepare('http://127.0.0.1:3000/webhooks');
  const ids = await Promise.all(TABLES.map((table) => column(table, 'id')));
  const created = await column('merchants', 'created_at');
  expect(await column('webhook_endpoints', 'url')).toEqual(['http://127.0.0.1:3000/webhooks']);

  await prepare('http://127.0.0.1:3001/webhooks');
  expect(await Promise.all(TABLES.map((table) => column(table, 'id')))).toEqual(ids);
  expect(await column('merchants', 'created_at')).toEqual(created);
  expect(await column('webhook_endpoints', 'url')).toEqual(['http://127.0.0.1:3001/webhooks']);
});

it('stores keys hashed and credentials sealed', async () => {
  await prepare('http://127.0.0.1:3000/webhooks');
  const { merchant } = merchants();
  const keys = await column('api_keys', 'key_hmac');
  expect(keys).toContainEqual(hashApiKey(merchant.apiKeys[0]?.key ?? '', PEPPER));
  const box = new SecretBox(SECRETS_KEY);
  const [secret] = (await column('webhook_endpoints', 'secret')) as Buffer[];
  expect(box.open(secret as Buffer)).toBe(merchant.webhookEndpoint?.secret);
  const [credential] = (await column('rail_accounts', 'credential')) as Buffer[];
  expect(JSON.parse(box.open(credential as Buffer))).toHaveProperty('webhookSecret');
  expect(credential?.toString('latin1')).not.toContain('whsec_');
});
