/** `npm run ops -- import stripe` as a process: a dry run, a run that is killed in the middle, and the run after it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { peakMemoryMiB } from '../../../tools/bench/core/process-tree.ts';
import { addPrice, addSubscription, passTime } from '../../rail/stripe/double/billing.ts';
import { CARDS } from '../../rail/stripe/double/cards.ts';
import { newId, unixNow } from '../../rail/stripe/double/state.ts';
import { type StripeService, startStripeService } from '../../rail/stripe/service.ts';
import { eventually } from '../../support/core/eventually.ts';
import { TEST_SECRETS_KEY } from '../../support/db/fixtures.ts';
import { BARE_ENV } from '../../support/stack/process.ts';

const COUNT = Number(process.env.IMPORTED ?? 12);
let service: StripeService;
beforeAll(async () => {
  service = await startStripeService();
  await service.useAccount();
  const { theirs } = service.stripe;
  const price = addPrice(theirs);
  for (let n = 0; n < COUNT; n++) {
    const [id, method] = [newId('cus'), newId('pm')];
    theirs.customers.set(id, { id, metadata: {}, email: `buyer-${n}@example.eu` });
    theirs.methods.set(method, { id: method, card: CARDS.approved, wallet: null, customer: id, used: true });
    addSubscription(theirs, { customer: id, method, price });
  }
}, 300_000);
afterAll(() => service?.close());

function start(...more: readonly string[]) {
  const { world, stripe } = service;
  const args = ['import', 'stripe', world.shop.merchantId, '--environment', 'sandbox', '--tax-rate', '19'];
  return spawn(process.execPath, [join(PROJECT_DIR, 'bin/ops.ts'), ...args, ...more], {
    cwd: tmpdir(),
    env: {
      ...BARE_ENV,
      DATABASE_URL: world.databaseUrl,
      TEMPORAL_ADDRESS: process.env.TEST_TEMPORAL_ADDRESS,
      TEMPORAL_NAMESPACE: world.namespace,
      SECRETS_KEY: TEST_SECRETS_KEY,
      STRIPE_API_URL: stripe.proxy.url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function run(...more: readonly string[]) {
  const child = start(...more);
  const exited = once(child, 'exit');
  const started = performance.now();
  let peak = 0;
  const watched = setInterval(async () => {
    peak = Math.max(peak, await peakMemoryMiB(child.pid ?? 0).catch(() => 0));
  }, 500);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await exited;
  clearInterval(watched);
  const seconds = Math.round((performance.now() - started) / 1_000);
  process.stderr.write(
    `Import of ${COUNT}, ${more.join(' ') || 'dry run'}: ${seconds} s, ${Math.round(peak)} MiB at most\n`,
  );
  return { code, out, err };
}

const written = () =>
  service.world.pool.one(sql.type(z.object({ count: z.number(), customers: z.number() }))`
    select count(*)::int as count, count(distinct customer_id)::int as customers
    from subscriptions where merchant_id = ${service.world.shop.merchantId}
  `);

test(
  'an import that is killed half-way is completed by the next import, and nothing is imported twice',
  async () => {
    const dry = await run();
    expect(dry).toMatchObject({ code: 0, err: '' });
    expect(dry.out).toContain(`${3 * COUNT + 1} to move, 0 moved`);
    expect((await written()).count).toBe(0);

    const { stripe } = service;
    // Some are moved, and one is between its stop and its row here.
    const stops = () =>
      stripe.proxy.seen.filter(({ method, path }) => method === 'POST' && /subs/.test(path));
    const child = start('--yes');
    const exited = once(child, 'exit');
    await eventually(() => expect(stops().length).toBeGreaterThan(COUNT / 4), 60_000 + COUNT * 200);
    child.kill('SIGKILL');
    await exited;
    const before = (await written()).count;
    expect(before).toBeLessThan(COUNT);

    const next = await run('--yes');
    expect(next.code).toBe(0);
    expect(next.out).toContain('0 stay, 0 unknown, 0 to decide.');
    expect(await written()).toEqual({ count: COUNT, customers: COUNT });
    const there = [...stripe.theirs.subscriptions.values()];
    expect(there.map(({ status }) => status)).toEqual(there.map(() => 'canceled'));

    const last = await run('--yes');
    expect(last.out).toContain(`0 moved, ${3 * COUNT + 1} moved before, 0 stay`);
    expect(await written()).toEqual({ count: COUNT, customers: COUNT });

    // Stripe charges nothing in the periods charged here.
    const charged = stripe.theirs.ledger.length;
    passTime(stripe.theirs, unixNow() + 62 * 86_400);
    expect(stripe.theirs.ledger.length).toBe(charged);
  },
  150_000 + COUNT * 500,
);
