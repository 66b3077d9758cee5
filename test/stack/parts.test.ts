/** The environment of the local stack's parts on a machine that is configured for another Temporal. */
import { afterAll, expect, test } from '@jest/globals';
import { readTemporalConfig } from '../../bin/config/temporal.ts';
import type { Ports } from '../../sandbox/stack/core/ports.ts';
import { demoMerchants } from '../../sandbox/stack/demo/demo-merchants.ts';
import { addressesOf, partsOf } from '../../sandbox/stack/parts.ts';

const elsewhere = { TEMPORAL_API_KEY: 'cloud-key', TEMPORAL_TLS: 'true', TEMPORAL_PROFILE: 'cloud' };
const names = Object.keys(elsewhere);
const before = names.map((name) => [name, process.env[name]] as const);
afterAll(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

test('the machine’s settings for another Temporal are not passed to the parts of the stack', async () => {
  Object.assign(process.env, elsewhere);
  const users = ['shop', 'api', 'rail', 'worker', 'temporal', 'temporalUi', 'postgres', 'identity'];
  const ports = Object.fromEntries(users.map((name, index) => [name, 9_000 + index])) as unknown as Ports;
  const parts = partsOf({
    ports,
    addresses: addressesOf(ports),
    merchants: demoMerchants((_name, make) => make()),
    databaseUrl: 'postgres://',
    railDatabaseUrl: 'postgres://',
    shopDataDir: '/tmp',
    apiKeyPepper: 'x',
    secretsKey: 'x',
    identityKey: '{}',
    identitySecret: 'x',
    workflowBundle: 'x',
  });
  for (const name of ['api', 'worker']) {
    const spec = parts.find((part) => part.spec.name === name)?.spec;
    // Merged as in `startPart`.
    expect(readTemporalConfig({ ...process.env, ...spec?.env })).toEqual({
      address: '127.0.0.1:9004',
      namespace: 'default',
    });
  }
});
