import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  buy,
  CARDS,
  expectBooksToAgree,
  QUICK,
  query,
  untilShopHears,
  untilState,
} from '../../faults/books.ts';
import { type CreatedSession, startStack, type TestStack } from '../../support/stack/stack.ts';

/**
 * Runs the real process with a wrong wall clock, by Debian's faketime package.
 * @needs faketime
 */
const LIBRARY = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
  .map((dir) => `${dir}/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path));
const wrongBy = (offset: string) => ({
  LD_PRELOAD: LIBRARY ?? '',
  FAKETIME: offset,
  // Only the wall clock is wrong; timers and time-outs run normally.
  DONT_FAKE_MONOTONIC: '1',
});

/** Shorter than the clocks' error: by those clocks a session would be over immediately, or never end. */
const LIFETIME_SECONDS = 45;

describe.each(['+10m', '-10m'])('a wall clock that is %s wrong in the API and in the worker', (offset) => {
  let stack: TestStack;
  let abandoned: CreatedSession;
  beforeAll(async () => {
    if (!LIBRARY) throw new Error('libfaketime is not installed (on Debian: apt-get install faketime)');
    stack = await startStack({
      env: { ...QUICK, CHECKOUT_LIFETIME_SECONDS: `${LIFETIME_SECONDS}` },
      parts: ['rail', 'shop'],
    });
    await stack.start('api', wrongBy(offset));
    await stack.start('worker', wrongBy(offset), { untilHealthy: false });
    abandoned = await stack.createCheckout(stack.products.oneTime);
  });
  afterAll(() => stack?.stop());

  test('is detected: the worker is not ready', async () => {
    const health = await untilAnswered(stack.workerHealthUrl);
    expect(health.status).toBe(503);
    expect(await health.text()).toMatch(/clock/);
  });

  test('does not matter: the session is payable by the database’s clock, and the shop verifies the event', async () => {
    const session = await stack.createCheckout(stack.products.oneTime);
    const [row] = await query<{ seconds: number }>(
      stack,
      'select extract(epoch from expires_at - clock_timestamp())::float8 as seconds from checkouts where id = $1',
      [session.id],
    );
    expect(row?.seconds).toBeGreaterThan(LIFETIME_SECONDS - 15);
    expect(row?.seconds).toBeLessThanOrEqual(LIFETIME_SECONDS);
    expect((await buy(session.hostedUrl, CARDS.challenge)).state).toBe('succeeded');
    await untilShopHears(stack, 'payment.succeeded', session.id);
    await expectBooksToAgree(stack);
  }, 90_000);

  test('does not matter: an unpaid session expires on time by the database’s clock', async () => {
    await untilState(stack, abandoned.id, 'failed', (LIFETIME_SECONDS + 10) * 1_000);
    const [row] = await query<{ late: number; reason: string }>(
      stack,
      `select extract(epoch from finished_at - expires_at)::float8 as late, failure_reason as reason
       from checkouts where id = $1`,
      [abandoned.id],
    );
    expect(row?.reason).toBe('expired');
    expect(row?.late).toBeGreaterThanOrEqual(0);
    expect(row?.late).toBeLessThan(5);
  }, 90_000);
});

async function untilAnswered(url: string): Promise<Response> {
  for (let tries = 0; ; tries++) {
    try {
      const response = await fetch(url);
      if (tries > 150 || !(await response.clone().text()).includes('starting')) return response;
    } catch (error) {
      if (tries > 150) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
