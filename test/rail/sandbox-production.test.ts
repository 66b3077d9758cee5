import { expect, test } from '@jest/globals';
import { createSandboxRail } from '../../rail/sandbox/index.ts';

test('an account at the sandbox rail is rejected for production, where it would give goods away', async () => {
  const account = {
    id: 'ap_rac_1',
    merchantId: 'ap_mer_1',
    environment: 'production',
    rail: 'sandbox',
    status: 'activating',
    capabilities: { cardFields: false, recurring: false, wallets: [], refunds: false, currencies: [] },
    credential: { account: 'racc_1', secret: 'secret', webhookSecret: 'whsec_1' },
  } as const;
  const rail = createSandboxRail({ baseUrl: 'http://127.0.0.1:9' });
  const found = await rail.probe?.(account, AbortSignal.timeout(5_000));
  expect(found).toMatchObject({ usable: false, identity: null });
  expect(found?.findings.map(({ code }) => code)).toEqual(['credential_wrong_mode']);
});
