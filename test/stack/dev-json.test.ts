import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { freePorts } from '../../sandbox/stack/core/ports.ts';
import { demoMerchants } from '../../sandbox/stack/demo/demo-merchants.ts';
import { devJson } from '../../sandbox/stack/dev-json.ts';
import { addressesOf } from '../../sandbox/stack/parts.ts';

test('the shell command exports the variables that the README’s shop and the command line read', async () => {
  const addresses = addressesOf(await freePorts(), { hasTemporalUi: true });
  const merchants = demoMerchants((_name, make) => make(), { refunds: true });
  const tokens = { token: 'token', platformToken: 'token' };
  const dev = devJson(addresses, 'postgres://127.0.0.1', merchants, tokens);
  const exported = execFileSync('sh', ['-c', `${dev.shell}; env`], { encoding: 'utf8' }).split('\n');
  expect(exported).toEqual(
    expect.arrayContaining([
      `HOSTED_CHECKOUT_URL=${dev.apiUrl}`,
      `HOSTED_CHECKOUT_API_KEY=${dev.merchant.apiKey}`,
      `PRODUCT_ID=${dev.products.oneTime}`,
      `WEBHOOK_SECRET=${dev.webhook.secret}`,
    ]),
  );
  expect(dev.webhook.secret).toMatch(/^whsec_/);
});
