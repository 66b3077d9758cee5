/**
 * `npm test`: the shop delivers once for a signed webhook and rejects unsigned ones. Needs no running installation.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

process.loadEnvFile();
// The test's orders go to a temporary folder.
const folder = mkdtempSync(join(tmpdir(), 'shop-test-'));
copyFileSync('.env', join(folder, '.env'));
const orders = join(folder, 'orders.jsonl');
let shop;
let address;

before(async () => {
  const script = fileURLToPath(new URL('shop.mjs', import.meta.url));
  const env = { ...process.env, PORT: '0' };
  shop = spawn(process.execPath, [script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [said] = await once(shop.stdout, 'data');
  address = /http:\S+/.exec(said)[0];
});
after(async () => {
  shop.kill();
  await once(shop, 'exit');
  rmSync(folder, { recursive: true });
});

const body = JSON.stringify({ id: 'evt_1', type: 'payment.succeeded', payment: { id: 'ap_pay_1' } });

function post(secret) {
  const timestamp = Math.floor(Date.now() / 1000);
  const hmac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'service-signature': `t=${timestamp},v1=${hmac}` };
  return fetch(`${address}/webhooks`, { method: 'POST', headers, body });
}

test('a webhook signed with another secret is refused', async () => {
  assert.equal((await post('whsec_bm90IG91cnM=')).status, 400);
  assert.throws(() => readFileSync(orders), { code: 'ENOENT' });
});

test('a signed webhook delivers once, even if it is repeated', async () => {
  for (const _ of [1, 2]) assert.equal((await post(process.env.WEBHOOK_SECRET)).status, 200);
  assert.equal(readFileSync(orders, 'utf8'), '{"id":"evt_1","payment":"ap_pay_1"}\n');
});
