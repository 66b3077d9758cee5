import { describe, expect, test } from '@jest/globals';
import type { RailCapabilities } from '../../../domain/payment/rail-capabilities.ts';
import { RailCapabilityMissing } from '../../../rail/capabilities.ts';
import type { RailAccount } from '../../../rail/rail-account.ts';
import {
  approvedPayment,
  deadline,
  payment,
  question,
  refundOf,
  storedCharge,
  storedMandate,
} from './calls.ts';
import type { RailDriver, World } from './driver.ts';

export function refusals(world: World): void {
  describe('an undeclared capability is rejected before any call:', () => {
    const without = (driver: RailDriver, missing: Partial<RailCapabilities>): RailAccount => ({
      ...driver.account,
      capabilities: { ...driver.account.capabilities, ...missing },
    });

    async function expectNoCall(driver: RailDriver, call: () => Promise<unknown> | unknown): Promise<void> {
      const before = await driver.callsReceived();
      await expect((async () => call())()).rejects.toThrow(RailCapabilityMissing);
      expect(await driver.callsReceived()).toBe(before);
    }

    test('a refund', async () => {
      const driver = world();
      const { request, railReference } = await approvedPayment(driver);
      const account = without(driver, { refunds: false });
      await expectNoCall(driver, () => driver.rail.refund({ ...refundOf(request, railReference), account }));
    });

    test('a charge under a mandate', async () => {
      const driver = world();
      const mandate = await storedMandate(driver, 'approved');
      const account = without(driver, { recurring: false });
      await expectNoCall(driver, () => driver.rail.chargeStored(storedCharge(account, mandate)));
    });

    test('a payment that stores a mandate', async () => {
      const driver = world();
      const account = without(driver, { recurring: false });
      const request = await payment(driver, 'approved', { account, saveMandate: true });
      await expectNoCall(driver, () => driver.rail.authorize(request));
    });

    test('another currency', async () => {
      const driver = world();
      const request = await payment(driver, 'approved', { currency: 'XTS' });
      await expectNoCall(driver, () => driver.rail.authorize(request));
    });

    test('card fields', async () => {
      const driver = world();
      const account = without(driver, { cardFields: false });
      const page = { origin: 'https://pay.example', language: 'en', amountCents: 1_900, currency: 'EUR' };
      await expectNoCall(driver, () => driver.rail.publicConfig(account, page));
    });
  });

  describe('an account that the rail refuses', () => {
    test('with a wrong credential gives an unknown outcome: account refused', async () => {
      const driver = world();
      const wrong = Object.fromEntries(
        Object.keys(driver.account.credential).map((name) => [name, 'x'.repeat(32)]),
      );
      const request = await payment(driver, 'approved', {
        account: { ...driver.account, credential: wrong },
      });
      const refused = { kind: 'unknown', reason: 'account_refused' };
      expect(await driver.rail.authorize(request)).toEqual(refused);
      expect(await driver.rail.lookup(question(request))).toEqual(refused);
      const { account } = request;
      expect(await driver.rail.askAccount({ account, signal: deadline() })).toEqual(refused);
    });

    test('with an incomplete credential gives an unknown outcome: account refused, and nothing is sent', async () => {
      const driver = world();
      const request = await payment(driver, 'approved', { account: { ...driver.account, credential: {} } });
      const before = await driver.callsReceived();
      expect(await driver.rail.authorize(request)).toEqual({ kind: 'unknown', reason: 'account_refused' });
      expect(await driver.callsReceived()).toBe(before);
    });

    test('disabled at the rail gives an unknown outcome: account refused', async () => {
      const driver = world();
      const request = await payment(driver, 'approved', { account: driver.disabledAccount });
      expect(await driver.rail.authorize(request)).toEqual({ kind: 'unknown', reason: 'account_refused' });
    });

    test('is detected by querying the account, without an attempt', async () => {
      const { rail, account, disabledAccount } = world();
      const ask = (of: RailAccount) => rail.askAccount({ account: of, signal: deadline() });
      expect(await ask(account)).toEqual({ kind: 'active' });
      expect(await ask(disabledAccount)).toMatchObject({ kind: 'unknown', reason: 'account_refused' });
    });
  });

  describe('the card fields', () => {
    test('have their own origin and no secret in their URL', () => {
      const { rail, account, neverLogged } = world();
      const page = { origin: 'https://pay.example', language: 'de', amountCents: 1_900, currency: 'EUR' };
      const { fieldsUrl, fieldsOrigin } = rail.publicConfig(account, page);
      expect(new URL(fieldsUrl).origin).toBe(fieldsOrigin);
      expect(fieldsOrigin).not.toBe(page.origin);
      for (const secret of neverLogged) expect(fieldsUrl).not.toContain(secret);
    });
  });
}
