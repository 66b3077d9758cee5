import { describe, expect, test } from '@jest/globals';
import { startCallTimer } from '../../../rail/deadline.ts';
import type { RailTrust } from '../../../rail/rail.ts';
import { AMOUNT_CENTS, deadline, payment, question } from './calls.ts';
import type { World } from './driver.ts';

export function faults(world: World, trust: RailTrust): void {
  describe('faults', () => {
    test.each([
      ['dropBefore', 'connection_lost'],
      ['dropAfter', 'connection_lost'],
      ['serverError', 'server_error'],
      ['truncated', 'malformed_answer'],
      ['garbage', 'malformed_answer'],
    ] as const)('%s gives an unknown outcome: %s', async (kind, reason) => {
      const driver = world();
      const request = await payment(driver, 'approved');
      await driver.fault('authorize', kind);
      expect(await driver.rail.authorize(request)).toEqual({ kind: 'unknown', reason });
    });

    if (trust.idempotentAuthorize) {
      test.each(['dropBefore', 'dropAfter', 'serverError', 'truncated', 'garbage'] as const)(
        '%s and a retry with the same key make one charge',
        async (kind) => {
          const driver = world();
          const request = await payment(driver, 'approved');
          await driver.fault('authorize', kind);
          await driver.rail.authorize(request);
          expect(await driver.rail.authorize(request)).toMatchObject({ kind: 'approved' });
          expect(await driver.charges(request.reference)).toEqual([AMOUNT_CENTS]);
        },
      );
    }

    test.each([
      ['dropBefore', 'connection_lost'],
      ['serverError', 'server_error'],
      ['truncated', 'malformed_answer'],
      ['garbage', 'malformed_answer'],
    ] as const)('%s in a look-up gives an unknown outcome (%s), never notFound', async (kind, reason) => {
      const driver = world();
      const request = await payment(driver, 'approved');
      await driver.rail.authorize(request);
      await driver.fault('lookup', kind);
      expect(await driver.rail.lookup(question(request))).toEqual({ kind: 'unknown', reason });
    });

    test('a call that is aborted at its deadline has an unknown outcome', async () => {
      const driver = world();
      await driver.fault('authorize', 'slow', { delayMs: 9_000 });
      // Long enough for a busy machine to send the call.
      const request = await payment(driver, 'approved', { signal: deadline(3_000) });
      // Without the fault, the answer arrives and is an approval.
      expect(await driver.rail.authorize(request)).toEqual({ kind: 'unknown', reason: 'timeout' });
    });

    test('a call whose deadline has passed sends nothing', async () => {
      const driver = world();
      const request = await payment(driver, 'approved', { signal: AbortSignal.abort() });
      const before = await driver.callsReceived();
      expect(await driver.rail.authorize(request)).toEqual({ kind: 'unknown', reason: 'not_sent' });
      expect(await driver.callsReceived()).toBe(before);
    });

    test('a call whose deadline passes while the process is paused sends nothing', async () => {
      const driver = world();
      const request = await payment(driver, 'approved', { signal: startCallTimer().signalAfter(200) });
      const before = await driver.callsReceived();
      pauseProcess(300);
      expect(await driver.rail.authorize(request)).toEqual({ kind: 'unknown', reason: 'not_sent' });
      expect(await driver.callsReceived()).toBe(before);
    });

    test('a call whose deadline passes while the process is paused between two requests takes no money', async () => {
      const driver = world();
      let steps = 0;
      const request = await payment(driver, 'approved', { signal: startCallTimer().signalAfter(4_000) });
      const outcome = await driver.rail.authorize({
        ...request,
        storeId: async (id) => {
          await request.storeId(id);
          if ('railReference' in id) {
            steps += 1;
            pauseProcess(4_100);
          }
        },
      });
      // A processor that takes a single request has charged before there is an id to store.
      expect(outcome).toMatchObject({ kind: steps === 0 ? 'approved' : 'unknown' });
      expect(await driver.charges(request.reference)).toEqual(steps === 0 ? [AMOUNT_CENTS] : []);
    });

    test.each(['rateLimited', 'lockTimeout'] as const)('%s is retried within the deadline', async (kind) => {
      const driver = world();
      const request = await payment(driver, 'approved');
      await driver.fault('authorize', kind, { count: 2 });
      expect(await driver.rail.authorize(request)).toMatchObject({ kind: 'approved' });
      expect(await driver.charges(request.reference)).toEqual([AMOUNT_CENTS]);
    });

    test('a call that is rate-limited until its deadline has an unknown outcome', async () => {
      const driver = world();
      await driver.fault('authorize', 'rateLimited', { count: 1 });
      // The deadline is a little less than the wait that the rail requests.
      const request = await payment(driver, 'approved', { signal: deadline(900) });
      expect(await driver.rail.authorize(request)).toEqual({ kind: 'unknown', reason: 'busy' });
      expect(await driver.charges(request.reference)).toEqual([]);
    });

    test('a call to an unreachable rail has an unknown outcome: not sent', async () => {
      const driver = world();
      const request = await payment(driver, 'approved');
      expect(await driver.unreachableRail.authorize(request)).toEqual({
        kind: 'unknown',
        reason: 'not_sent',
      });
    });
  });
}

/** Like SIGSTOP: nothing runs, not even timers. */
function pauseProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
