import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
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

/** Provokes every kind of failure and collects the outcomes and exceptions. */
async function troubles(driver: RailDriver): Promise<unknown[]> {
  const { rail, account, unreachableRail } = driver;
  const mandate = await storedMandate(driver, 'approved');
  const paid = await approvedPayment(driver);
  const settle = (call: () => unknown) => (async () => call())().catch((error: unknown) => error);
  const troubled: unknown[] = [];
  for (const kind of ['dropBefore', 'dropAfter', 'serverError', 'truncated', 'garbage'] as const) {
    await driver.fault('authorize', kind);
    const request = await payment(driver, 'approved');
    troubled.push(await settle(() => rail.authorize(request)));
    await driver.fault('chargeStored', kind);
    troubled.push(withoutMandate(await settle(() => rail.chargeStored(storedCharge(account, mandate)))));
    await driver.fault('lookup', kind);
    troubled.push(await settle(() => rail.lookup(question(request))));
  }
  const request = await payment(driver, 'approved');
  const conflicting = { ...paid.request, amountCents: 1 };
  const noRefunds = { ...account, capabilities: { ...account.capabilities, refunds: false } };
  troubled.push(
    await settle(() => unreachableRail.authorize(request)),
    await settle(() => unreachableRail.listSince(account, new Date().toISOString(), deadline())),
    await settle(() => rail.authorize(conflicting)),
    await settle(() => rail.refund({ ...refundOf(paid.request, paid.railReference), account: noRefunds })),
    await settle(() => rail.authorize({ ...request, account: driver.disabledAccount })),
    await settle(() => rail.parseWebhook(account, Buffer.from('{}'), {})),
  );
  return [...troubled, request.methodToken, mandate];
}

/** Approved outcomes contain the mandate by design. */
function withoutMandate(outcome: unknown): unknown {
  return typeof outcome === 'object' && outcome !== null ? { ...outcome, mandate: null } : outcome;
}

export function secrets(world: World): void {
  describe('secrets', () => {
    test('appear in no error, unknown outcome or log', async () => {
      const driver = world();
      const all = await troubles(driver);
      const [token, mandate] = all.splice(-2) as string[];
      const secretTexts = [...driver.neverLogged, token ?? '', mandate ?? ''];
      const shown = inspect(all, { depth: Number.POSITIVE_INFINITY, showHidden: true });
      const logged = driver.logs();
      expect(all.filter((value) => value instanceof Error).length).toBeGreaterThanOrEqual(3);
      for (const secret of secretTexts) {
        expect(secret.length).toBeGreaterThan(8);
        expect(shown).not.toContain(secret);
        expect(logged).not.toContain(secret);
      }
    });
  });
}
