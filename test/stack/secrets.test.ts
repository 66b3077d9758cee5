import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { environmentOfApiKey } from '../../contract/merchant/api-key.ts';
import { demoMerchants } from '../../sandbox/stack/demo/demo-merchants.ts';
import { openSecrets } from '../../sandbox/stack/demo/secrets.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'secrets-'));
});
afterEach(() => rm(dir, { recursive: true }));

test('a secret is generated once and stored readable by this user only', async () => {
  const file = join(dir, 'secrets.json');
  const first = openSecrets(file)('pepper', () => 'made first');
  const again = openSecrets(file)('pepper', () => 'made again');
  expect([first, again]).toEqual(['made first', 'made first']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(dir)).toEqual(['secrets.json']);
});

test('the folder of the secrets is made private, even if it was readable before', async () => {
  await chmod(dir, 0o755);
  openSecrets(join(dir, 'secrets.json'));
  expect((await stat(dir)).mode & 0o777).toBe(0o700);
});

test('the demo merchants have the same ids and keys in every run', () => {
  const file = join(dir, 'secrets.json');
  expect(demoMerchants(openSecrets(file))).toEqual(demoMerchants(openSecrets(file)));
});

test('every demo merchant has its own ids and keys', () => {
  const merchants = Object.values(demoMerchants(openSecrets(join(dir, 'secrets.json'))));
  const ids = merchants.flatMap(({ id, apiKeys, products, railAccount }) => [
    id,
    railAccount.id,
    ...apiKeys.flatMap((key) => [key.id, key.key]),
    ...Object.values(products).flatMap((product) => [product.id, product.priceId]),
  ]);
  expect(new Set(ids).size).toBe(ids.length);
  const environments = merchants[0]?.apiKeys.map(({ key }) => environmentOfApiKey(key));
  expect(environments).toEqual(['sandbox', 'production']);
});
