/**
 * The program of docs/subscriptions.md that upgrades, downgrades, pauses and collects, run verbatim in each of its
 * languages against the whole service.
 * @reads docs packages
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { read } from '../../docs/documents.ts';
import { asOwner } from '../../e2e/dashboard.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';
import {
  advanceTo,
  buySubscription,
  inDays,
  invoicesOfStack,
  post,
} from '../../support/stack/stack-subscriptions.ts';
import { pythonEnvironment } from '../../support/tool/python.ts';

const run = promisify(execFile);
const CLIENT = pathToFileURL(join(PROJECT_DIR, 'packages/node/src/index.ts')).href;
const [, GUIDE = ''] =
  /## Upgrade, downgrade, pause, seats, coupons\n([\s\S]*?)\n## /.exec(read('docs/subscriptions.md')) ?? [];
const programIn = (language: string) =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(GUIDE)?.[1] ?? '';

let stack: TestStack;
let dir: string;
let plans: { readonly large: string; readonly small: string };

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'guide-'));
  stack = await startStack({ parts: ['rail', 'api', 'worker', 'identity'] });
  const { recurring } = stack.products;
  const quantity = { min: 1, max: 10 };
  await asOwner(stack, 'PATCH', `/products/${recurring}`, { quantity });
  plans = { large: await newPlan('Large', 2_900), small: await newPlan('Small', 900) };
  const [{ id, plan_ids: demoPlans }] = (await asOwner(stack, 'GET', '/offerings')).body.data;
  const plan_ids = [...demoPlans, plans.large, plans.small];
  expect((await asOwner(stack, 'PATCH', `/offerings/${id}`, { plan_ids })).status).toBe(200);
  const coupon = { environment: 'sandbox', code: 'SPRING24', percent: 20, duration: 'forever' };
  expect((await asOwner(stack, 'POST', '/coupons', coupon)).status).toBe(201);
});
afterAll(async () => {
  await stack?.stop();
  await rm(dir, { recursive: true, force: true });
});

async function newPlan(name: string, amount: number): Promise<string> {
  const { id } = (await asOwner(stack, 'POST', '/products', { name, quantity: { min: 1, max: 10 } })).body;
  const price = { amount, tax_rate: 19, billing_mode: 'recurring', recurring: { interval: 'month' } };
  expect((await asOwner(stack, 'POST', `/products/${id}/prices`, price)).status).toBe(201);
  return id;
}

/** Two subscriptions, the second to end with its period; and the unpaid invoice of a third. */
async function subscribers() {
  const [up, down] = [await buySubscription(stack), await buySubscription(stack)];
  await post(stack, `/v1/subscriptions/${down.id}/cancel`, { at_period_end: true });
  const unpaid = await buySubscription(stack, { card: '4000000000000341' });
  await advanceTo(stack, unpaid.id, inDays(new Date().toISOString(), 35));
  const invoice = (await invoicesOfStack(stack, unpaid.id)).at(-1);
  return { up: up.id, down: down.id, invoice: invoice.id, ...plans, product: stack.products.recurring };
}

const environment = () => ({
  PATH: process.env.PATH,
  HOSTED_CHECKOUT_URL: stack.apiUrl,
  HOSTED_CHECKOUT_API_KEY: stack.merchant.apiKey,
});

async function printed(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { stdout } = await run(program, args, { cwd: dir, env: { ...environment(), ...env } });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const TYPESCRIPT = `
import { addSeats, changePlan, collect, keep, pause, planned, resume, sell } from './guide.ts';
const { up, down, invoice, large, small, product } = JSON.parse(process.argv[2] ?? '');
const say = (value: unknown) => console.log(JSON.stringify(value));
const more = await planned(up, large);
say(more.total > 0 && more.total <= 1500);
say((await changePlan(up, more))?.status);
say((await addSeats(up, 3))?.status);
say((await pause(up, null)).pause_at_period_end);
say((await resume(up)).pause_at_period_end);
say((await keep(down)).cancel_at_period_end);
const less = await planned(down, small);
say(less.total);
say((await changePlan(down, less))?.status);
say(/\\/pay\\//.test(await collect(invoice) ?? ''));
say(/\\/pay\\//.test((await sell(product, 'ada', 'spring24')).hostedUrl));
`;

test('the code in the subscription guide runs in TypeScript', async () => {
  await writeFile(join(dir, 'guide.ts'), programIn('ts').replace("'hosted-checkout'", `'${CLIENT}'`));
  await writeFile(join(dir, 'drive.ts'), TYPESCRIPT);
  await writeFile(join(dir, 'package.json'), '{"type": "module"}');
  expect(await printed(process.execPath, ['drive.ts', JSON.stringify(await subscribers())])).toEqual([
    true,
    'applied',
    'applied',
    true,
    false,
    false,
    0,
    'scheduled',
    true,
    true,
  ]);
});

const PYTHON = `
import json, sys
from guide import add_seats, change_plan, checkout, collect, planned
it = json.loads(sys.argv[1])
def say(value):
    print(json.dumps(value))
total, change = planned(it["up"], it["large"])
say(0 < total <= 1500)
say(change_plan(it["up"], change).status)
say(add_seats(it["up"], 3).status)
checkout.subscriptions.undo_cancel(it["down"])
total, change = planned(it["down"], it["small"])
say(total)
say(change_plan(it["down"], change).status)
say("/pay/" in collect(it["invoice"]))
`;

test('the code in the subscription guide runs in Python', async () => {
  const python = await pythonEnvironment('python-httpx-0.28.1', ['httpx==0.28.1']);
  await writeFile(join(dir, 'guide.py'), programIn('python'));
  await writeFile(join(dir, 'drive.py'), PYTHON);
  const args = ['drive.py', JSON.stringify(await subscribers())];
  const env = { PYTHONPATH: join(PROJECT_DIR, 'packages/python/src') };
  expect(await printed(join(python, 'bin/python'), args, env)).toEqual([
    true,
    'applied',
    'applied',
    0,
    'scheduled',
    true,
  ]);
});

test('the code in the subscription guide runs with curl', async () => {
  const { up, large, invoice } = await subscribers();
  const script = programIn('sh').replaceAll(/^(call "[\s\S]*?)$/gm, '$1; echo');
  const answers = await printed('bash', ['-c', script], { id: up, plan: large, invoice });
  expect(answers).toMatchObject([
    { change: { status: 'applied', target_plan_id: large } },
    { change: { status: 'applied', quantity: 3 } },
    { pause_at_period_end: true },
    { pause_at_period_end: false },
    { payment: { status: 'failed' } },
    { hostedUrl: expect.stringContaining('/pay/') },
  ]);
});
