/** @reads docs */
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FIRST_COMMANDS, failuresOf, opsLineOf } from '../../docs/run-on-call.ts';
import { atBest } from '../../support/core/at-best.ts';
import { eventually } from '../../support/core/eventually.ts';
import { type CheckoutCopy, copyCheckout, type Run } from './checkout-copy.ts';

const STOP_WITHIN_MS = 30_000;
const SECOND_START_WITHIN_MS = 15_000;
const TEST_TIMEOUT_MS = 400_000;

let copy: CheckoutCopy;
beforeAll(() => {
  copy = copyCheckout();
});
afterAll(() => {
  copy.kill();
  copy.remove();
});

/** The run that a test leaves for the next one, because a start takes seconds. */
let left: Run | undefined;

/** The run that the last test left, or a new one, because a failed test leaves none. */
async function running(): Promise<Run> {
  const run = left;
  left = undefined;
  if (run) return run;
  copy.kill();
  return copy.start();
}

async function gone({ npm, supervisor, exit }: Run, from = copy): Promise<void> {
  await eventually(() => {
    expect(from.processes()).toEqual([]);
    expect([npm, supervisor].filter(isAlive)).toEqual([]);
  }, STOP_WITHIN_MS);
  await exit;
}

async function stop(run: Run, from = copy): Promise<void> {
  process.kill(run.npm, 'SIGTERM');
  await gone(run, from);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function buy(
  { dev }: Run,
  apiKey = dev.merchant.apiKey,
  productId = dev.products.oneTime,
): Promise<Response> {
  return fetch(`${dev.apiUrl}/v1/checkouts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ productId, externalCustomerId: 'buyer' }),
  });
}

/** Everything that is stable across a restart: all but the tokens, which expire after a day. */
const lasting = ({ dev }: Run) => ({ ...dev, dashboard: dev.dashboard.issuer });

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

describe('npm start', () => {
  test(
    'runs all parts, and writes .local/dev.json readable by this user only',
    async () => {
      const run = await running();
      expect(statSync(join(copy.dir, '.local/dev.json')).mode & 0o777).toBe(0o600);
      for (const url of [run.dev.apiUrl, run.dev.railUrl, run.dev.shopUrl]) {
        expect((await fetch(`${url}/healthz`)).status).toBe(200);
      }
      expect((await fetch(run.dev.shopUrl)).status).toBe(200);
      expect((await fetch(run.dev.temporalUiUrl ?? '')).status).toBe(200);
      expect(await (await fetch(run.dev.webhook.eventsUrl)).json()).toEqual([]);
      expect((await buy(run)).status).toBe(201);
      expect(run.output()).toMatch(/Start with the shop:\n\n {2}Demo shop +http/);
      expect(run.output()).toContain('4242 4242 4242 4242');
      left = run;
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'creates a demo merchant for each configuration',
    async () => {
      const run = await running();
      const { merchant, others } = run.dev;
      const { second, noSubscriptions, railActivating, inactive } = others;
      expect(await codeOf(await buy(run, merchant.liveApiKey))).toBe('payment_rail_unavailable');
      expect((await buy(run, second.apiKey, second.products.trial)).status).toBe(201);
      expect(await codeOf(await buy(run, second.apiKey, second.products.noInterval))).toBe(
        'recurring_price_interval_missing',
      );
      expect(await codeOf(await buy(run, second.apiKey))).toBe('product_not_found');
      expect((await buy(run, noSubscriptions.apiKey, noSubscriptions.products.oneTime)).status).toBe(201);
      expect(await codeOf(await buy(run, noSubscriptions.apiKey, noSubscriptions.products.recurring))).toBe(
        'merchant_feature_not_enabled',
      );
      expect(await codeOf(await buy(run, railActivating.apiKey, railActivating.products.oneTime))).toBe(
        'payment_rail_activation_in_progress',
      );
      expect(await codeOf(await buy(run, inactive.apiKey, inactive.products.oneTime))).toBe(
        'merchant_inactive',
      );
      left = run;
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'lets every first command of the runbook succeed',
    async () => {
      left = await running();
      expect(await failuresOf(FIRST_COMMANDS, opsLineOf('A clone'), {}, copy.dir)).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'names the requested port if it is in use',
    async () => {
      const run = await running();
      const neighbour = copyCheckout();
      const SHOP_PORT = new URL(run.dev.shopUrl).port;
      const { code, output } = neighbour.startInVain({ SHOP_PORT });
      neighbour.remove();
      expect(code).toBe(1);
      expect(output).toContain(`SHOP_PORT=${SHOP_PORT}: that port is taken.`);
      left = run;
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'stops on a SIGTERM to npm, and restarts quickly with the same addresses, ids and keys',
    async () => {
      let first = await running();
      // A busy machine takes longer, but hardly longer than the first start, which creates the database. The
      // load of the files that run alongside this one differs between the two.
      const limit = Math.max(SECOND_START_WITHIN_MS, 1.5 * first.readyAfterMs);
      const restart = async () => {
        await stop(first);
        expect(() => statSync(join(copy.dir, '.local/dev.json'))).toThrow('ENOENT');
        const second = await copy.start();
        const { token, platformToken, ...dashboard } = second.dev.dashboard;
        expect(lasting(second)).toEqual(lasting(first));
        expect(first.dev.dashboard).toMatchObject(dashboard);
        // Earlier tokens stay valid: the provider kept its key.
        const { merchant, apiUrl } = second.dev;
        for (const each of [token, platformToken, first.dev.dashboard.token]) {
          const headers = { authorization: `Bearer ${each}` };
          expect((await fetch(`${apiUrl}/v1/merchants/${merchant.id}`, { headers })).status).toBe(200);
        }
        first = second;
        return second.readyAfterMs;
      };
      expect(await atBest(limit, restart)).toBeLessThan(limit);
      left = first;
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'refuses a second run in the same working copy',
    async () => {
      const run = await running();
      const second = copy.startInVain();
      expect(second.code).toBe(1);
      expect(second.output).toContain(`already running (process ${run.supervisor})`);
      left = run;
    },
    TEST_TIMEOUT_MS,
  );

  test.each(['npm', 'supervisor'] as const)(
    'leaves nothing behind when %s is killed, and starts again',
    async (who) => {
      const run = await running();
      process.kill(run[who], 'SIGKILL');
      await gone(run);
      const again = await copy.start();
      expect(lasting(again)).toEqual(lasting(run));
      expect((await buy(again)).status).toBe(201);
      left = again;
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'refuses a database of another baseline, and starts over with --fresh',
    async () => {
      const run = await running();
      await stop(run);
      appendFileSync(join(copy.dir, 'db/migrations/0001_core.sql'), 'create table of_this_baseline ();\n');
      const inVain = copy.startInVain();
      expect(inVain.code).toBe(1);
      expect(inVain.output).toContain(
        'has the schema of another baseline: "npm start -- --fresh" starts over',
      );
      const fresh = await copy.start('--fresh');
      expect(fresh.dev.merchant.apiKey).not.toBe(run.dev.merchant.apiKey);
      expect((await buy(fresh)).status).toBe(201);
      expect((await buy(fresh, run.dev.merchant.apiKey)).status).toBe(401);
      left = fresh;
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'reports which part died and why, and stops the other parts',
    async () => {
      const run = await running();
      process.kill(run.pidOf('bin/worker.ts'), 'SIGKILL');
      expect(await run.exit).toBe(1);
      expect(run.output()).toContain('worker was killed by SIGKILL');
      await gone(run);
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'runs alongside another checkout of the project',
    async () => {
      if (left) await stop(await running());
      const neighbour = copyCheckout();
      try {
        const [here, there] = await Promise.all([copy.start(), neighbour.start()]);
        expect(new Set([here.dev.apiUrl, here.dev.shopUrl, there.dev.apiUrl, there.dev.shopUrl]).size).toBe(
          4,
        );
        expect((await buy(there)).status).toBe(201);
        expect((await buy(here, there.dev.merchant.apiKey)).status).toBe(401);
        await stop(here);
        expect((await buy(there)).status).toBe(201);
        await stop(there, neighbour);
      } finally {
        neighbour.kill();
        neighbour.remove();
      }
    },
    TEST_TIMEOUT_MS,
  );
});
