/**
 * `npm test`: the shop delivers once for a signed webhook and rejects unsigned ones. Needs no running installation.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

process.loadEnvFile();
// The test's orders go to a temporary folder.
const folder = mkdtempSync(join(tmpdir(), 'shop-test-'));
process.chdir(folder);
after(() => {
  process.chdir(tmpdir());
  rmSync(folder, { recursive: true });
});
const { POST } = await import('./app/webhooks/route.js');
const { ordersSoFar } = await import('./lib/orders.js');

const body = JSON.stringify({ id: 'evt_1', type: 'payment.succeeded', payment: { id: 'ap_pay_1' } });

function post(secret) {
  const timestamp = Math.floor(Date.now() / 1000);
  const hmac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'service-signature': `t=${timestamp},v1=${hmac}` };
  return POST(new Request('http://localhost/webhooks', { method: 'POST', headers, body }));
}

test('a webhook signed with another secret is refused', async () => {
  assert.equal((await post('whsec_bm90IG91cnM=')).status, 400);
  assert.deepEqual(ordersSoFar(), []);
});

test('a signed webhook delivers once, even if it is repeated', async () => {
  for (const _ of [1, 2]) assert.equal((await post(process.env.WEBHOOK_SECRET)).status, 200);
  assert.deepEqual(ordersSoFar(), [{ id: 'evt_1', payment: 'ap_pay_1' }]);
});
