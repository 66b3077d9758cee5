import { describe, expect, test } from '@jest/globals';
import { RailWebhookInvalid } from '../../../rail/webhook.ts';
import { approvedPayment, payment } from './calls.ts';
import type { RailDriver, SentWebhook, World } from './driver.ts';

const nowSeconds = () => Math.floor(Date.now() / 1_000);

export function webhooks(world: World): void {
  const parse = (driver: RailDriver, { rawBody, headers }: SentWebhook) =>
    driver.rail.parseWebhook(driver.account, rawBody, headers);

  /** A body that the processor sent, with a new signature. */
  async function resigned(driver: RailDriver, unixSeconds: number): Promise<SentWebhook> {
    const { request } = await approvedPayment(driver);
    const { rawBody } = await driver.webhookAbout(request.reference);
    return { rawBody, headers: driver.sign(driver.account, rawBody, unixSeconds) };
  }

  describe('webhooks', () => {
    test('from the rail are accepted and contain our reference', async () => {
      const driver = world();
      const { request } = await approvedPayment(driver);
      const sent = await driver.webhookAbout(request.reference);
      expect(parse(driver, sent)).toEqual({
        railEventId: expect.any(String),
        reference: request.reference,
        hint: 'approved',
      });
    });

    test('about a decline carry the hint declined', async () => {
      const driver = world();
      const request = await payment(driver, 'declined');
      await driver.rail.authorize(request);
      expect(parse(driver, await driver.webhookAbout(request.reference))).toMatchObject({ hint: 'declined' });
    });

    test('replayed within the tolerance have the same event id', async () => {
      const driver = world();
      const sent = await resigned(driver, nowSeconds());
      expect(parse(driver, sent)).toEqual(parse(driver, sent));
    });

    test.each([
      ['too old', -330],
      ['in the future', 330],
    ])('with a timestamp %s are rejected', async (_age, offsetSeconds) => {
      const driver = world();
      const sent = await resigned(driver, nowSeconds() + offsetSeconds);
      expect(() => parse(driver, sent)).toThrow(RailWebhookInvalid);
    });

    test('that are nearly five minutes old are accepted', async () => {
      const driver = world();
      const sent = await resigned(driver, nowSeconds() - 270);
      expect(parse(driver, sent)).toMatchObject({ hint: 'approved' });
    });

    test('with a changed body are rejected', async () => {
      const driver = world();
      const { rawBody, headers } = await resigned(driver, nowSeconds());
      const tampered = Buffer.from(rawBody.toString('utf8').replace('1900', '1901'));
      expect(tampered.equals(rawBody)).toBe(false);
      expect(() => parse(driver, { rawBody: tampered, headers })).toThrow(RailWebhookInvalid);
    });

    test('signed with another account’s secret are rejected', async () => {
      const driver = world();
      const { rawBody } = await resigned(driver, nowSeconds());
      const headers = driver.sign(driver.otherAccount, rawBody, nowSeconds());
      expect(() => parse(driver, { rawBody, headers })).toThrow(RailWebhookInvalid);
    });

    test('about another account are ignored if signed with this account’s secret, and otherwise rejected', async () => {
      const driver = world();
      const { rawBody, headers } = await resigned(driver, nowSeconds());
      const { otherAccount, rail } = driver;
      expect(() => rail.parseWebhook(otherAccount, rawBody, headers)).toThrow(RailWebhookInvalid);
      const signedForOther = driver.sign(otherAccount, rawBody, nowSeconds());
      expect(rail.parseWebhook(otherAccount, rawBody, signedForOther)).toBeNull();
    });

    test('with a missing or malformed signature are rejected', async () => {
      const driver = world();
      const { rawBody, headers } = await resigned(driver, nowSeconds());
      expect(() => parse(driver, { rawBody, headers: {} })).toThrow(RailWebhookInvalid);
      for (const malformed of ['', 't=,v1=', 'v1=00', `t=${nowSeconds()},v1=zz`]) {
        const broken = Object.fromEntries(Object.keys(headers).map((name) => [name, malformed]));
        expect(() => parse(driver, { rawBody, headers: broken })).toThrow(RailWebhookInvalid);
      }
    });

    test('with a valid signature and an unparseable body are rejected', () => {
      const driver = world();
      const rawBody = Buffer.from('not json');
      const headers = driver.sign(driver.account, rawBody, nowSeconds());
      expect(() => parse(driver, { rawBody, headers })).toThrow(RailWebhookInvalid);
    });
  });
}
