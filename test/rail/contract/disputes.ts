import { describe, expect, test } from '@jest/globals';
import { AMOUNT_CENTS, approvedPayment, deadline } from './calls.ts';
import type { World } from './driver.ts';

export function disputes(world: World): void {
  describe('disputes', () => {
    async function disputed() {
      const driver = world();
      const { request, railReference } = await approvedPayment(driver);
      const { account, reference } = request;
      const payment = { reference, railReference };
      const listed = () => driver.rail.listDisputes({ account, ...payment, signal: deadline() });
      return { driver, payment, listed };
    }

    test('of an undisputed payment are an empty list', async () => {
      const { listed } = await disputed();
      expect(await listed()).toEqual({ kind: 'disputes', disputes: [] });
    });

    test('are listed with amount, reason and evidence deadline', async () => {
      const { driver, payment, listed } = await disputed();
      await driver.openDispute(payment);
      const outcome = await listed();
      const dispute = {
        railDisputeId: expect.any(String),
        status: 'open',
        amountCents: AMOUNT_CENTS,
        currency: 'EUR',
        reason: 'fraudulent',
        openedAt: expect.any(String),
        evidenceDueBy: expect.any(String),
      };
      expect(outcome).toEqual({ kind: 'disputes', disputes: [dispute] });
      const [{ openedAt, evidenceDueBy } = { openedAt: '', evidenceDueBy: '' }] =
        outcome.kind === 'disputes' ? outcome.disputes : [];
      const days = (Date.parse(evidenceDueBy ?? '') - Date.parse(openedAt)) / 86_400_000;
      expect(Math.round(days)).toBe(7);
    });

    test.each(['won', 'lost'] as const)(
      'that are %s are listed as such, without an evidence deadline',
      async (status) => {
        const { driver, payment, listed } = await disputed();
        await driver.openDispute(payment);
        await driver.decideDispute(payment, status);
        expect(await listed()).toMatchObject({ disputes: [{ status, evidenceDueBy: null }] });
      },
    );

    test('opened since an instant are listed with their payments', async () => {
      const { driver, payment, listed } = await disputed();
      const since = (offsetMs: number) =>
        driver.rail.listDisputesSince(
          driver.account,
          new Date(Date.now() + offsetMs).toISOString(),
          deadline(),
        );
      await driver.openDispute(payment);
      const outcome = await listed();
      const id = outcome.kind === 'disputes' ? outcome.disputes[0]?.railDisputeId : null;
      const found = (await since(-60_000)).find(({ railDisputeId }) => railDisputeId === id);
      expect([payment.reference, payment.railReference]).toContain(found?.reference ?? found?.railReference);
      expect(await since(60_000)).toEqual([]);
    });

    test('send webhooks that name the payment, with the hint dispute', async () => {
      const { driver, payment } = await disputed();
      await driver.openDispute(payment);
      const sent = await driver.webhookAboutDispute(payment);
      const webhook = driver.rail.parseWebhook(driver.account, sent.rawBody, sent.headers);
      expect(webhook?.hint).toBe('dispute');
      expect([payment.reference, payment.railReference]).toContain(
        webhook?.reference ?? webhook?.railReference,
      );
    });
  });
}
