/** Every command of `npm run ops` that acts or explains, as a process: once with text, once with --json. */
import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { audited } from '../../bin/ops/core/audited.ts';
import { hashApiKey } from '../../contract/merchant/api-key.ts';
import { openPool, sql } from '../../db/core/pool.ts';
import { inTransaction } from '../../db/core/transaction.ts';
import { recordEvent } from '../../db/webhook/events.ts';
import { ensureSchedules } from '../../worker/namespace.ts';
import { AUDIENCE, startTestProvider, type TestProvider } from '../support/api/identity.ts';
import { eventually } from '../support/core/eventually.ts';
import { insertMerchant, insertPurchase, type Purchase, TEST_PEPPER } from '../support/db/fixtures.ts';
import { insertSessions } from '../support/db/sales.ts';
import { createEndpoint } from '../support/db/webhooks.ts';
import { type OpsResult, runOps } from '../support/stack/ops.ts';
import { createSessionWorld, type SessionWorld } from '../support/world/checkout-world.ts';

let world: SessionWorld;
let provider: TestProvider;
let purchase: Purchase;
let base: NodeJS.ProcessEnv;
/** Ids that the rows of the table use. */
const named = {
  paid: [] as readonly string[],
  railIds: [] as readonly string[],
  endpoints: [] as readonly string[],
  event: '',
  merchants: [] as readonly string[],
  invoices: [] as readonly string[],
};

beforeAll(async () => {
  [world, provider] = await Promise.all([createSessionWorld(), startTestProvider()]);
  const { pool, shop } = world;
  await world.startWorker();
  const address = (world.client.connection as { readonly options?: { readonly address?: string } }).options
    ?.address;
  base = {
    DATABASE_URL: world.databaseUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: world.namespace,
    TEMPORAL_UI_URL: 'http://temporal.example',
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: AUDIENCE,
    SECOND_PERSON_ABOVE: '1000',
  };
  purchase = await insertPurchase(pool, shop, shop.products.oneTime);
  await pool.query(sql.unsafe`
    update customers set email = 'ada@example.eu' where id = ${purchase.customerId}`);
  for (const n of [1, 2, 3, 4]) await insertDispute(`ap_dis_${n}`);
  const endpoints = [await createEndpoint(pool, shop), await createEndpoint(pool, shop)];
  await inTransaction(pool, (tx) =>
    recordEvent(tx, {
      scope: shop,
      type: 'billing.operational_alert',
      aggregateId: 'ap_whe_other',
      aggregateVersion: 1,
      alert: { code: 'webhook_endpoint_disabled', reference: 'ap_whe_other' },
    }),
  );
  const paid = await Promise.all([pay(), pay()]);
  Object.assign(named, {
    paid: paid.map(({ id }) => id),
    railIds: paid.map(({ railId }) => railId),
    endpoints: endpoints.map(({ id }) => id),
    event: await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
      select event_id as id from deliveries group by event_id having count(*) = ${endpoints.length} limit 1`),
    merchants: [await insertMerchant(pool), await insertMerchant(pool)],
    invoices: [await insertWrittenOff(), await insertWrittenOff()],
  });
});
afterAll(() => Promise.all([world?.close(), provider?.stop()]));

async function pay(): Promise<{ readonly id: string; readonly railId: string }> {
  const checkoutId = await world.session();
  await world.pay(checkoutId, '4242424242424242');
  await world.until(checkoutId, 'succeeded');
  return world.pool.one(sql.type(z.object({ id: z.string(), railId: z.string() }))`
    select id, rail_order_id as "railId" from payments where checkout_id = ${checkoutId}`);
}

function insertDispute(id: string): Promise<unknown> {
  const { merchantId, railAccountId } = world.shop;
  return world.pool.query(sql.unsafe`
    insert into disputes (id, merchant_id, environment, payment_id, rail_account_id, rail_dispute_id, status, amount,
      currency, reason, opened_at)
    values (${id}, ${merchantId}, 'sandbox', ${purchase.paymentId}, ${railAccountId}, ${`rail_${id}`}, 'open', 1900,
      'EUR', 'fraudulent', service_clock())`);
}

async function insertWrittenOff(): Promise<string> {
  const { pool, shop } = world;
  const { invoiceId } = await insertPurchase(pool, shop, shop.products.recurring, { recurring: true });
  await pool.query(sql.unsafe`update invoices set status = 'uncollectible' where id = ${invoiceId}`);
  return invoiceId;
}

/** Runs a command as a person with a token, or as the user of this machine. */
async function ops(args: readonly string[], sub?: string): Promise<OpsResult> {
  const token = sub && { OPS_TOKEN: await provider.token({ role: 'platform', sub }) };
  return runOps(args, { ...base, ...token });
}

const because = ['--reason', 'because'];
const close = ['--status', 'won', ...because, '--evidence', 'the letter', '--yes'];

/**
 * Requests the end of a dispute, which a second person confirms.
 * @returns the request's id
 */
async function ask(disputeId: string): Promise<string> {
  const { code, out } = await ops(['dispute', 'close', disputeId, ...close, '--json'], 'ada');
  const { waiting_request: id, done } = JSON.parse(out);
  expect({ code, done }).toEqual({ code: 1, done: false });
  return id;
}

interface Row {
  readonly command: string;
  /** Arguments for the output as a table. */
  readonly told: () => readonly string[];
  readonly says: () => readonly (string | RegExp)[];
  /** Arguments for the output as JSON. */
  readonly asked: () => readonly string[];
  readonly answers: () => object;
}
const done = { done: true, waiting_request: null };
const nth = (of: readonly string[], n: number) => of[n] ?? '';

const ROWS: readonly Row[] = [
  {
    command: 'why',
    told: () => ['why', purchase.paymentId],
    says: () => [
      `payment ${purchase.paymentId} (merchant ${world.shop.merchantId}, sandbox)`,
      'succeeded: The rail confirmed the charge. 19.00 EUR.',
      '  at the rail: ch_1\n',
      `workflow: http://temporal.example/namespaces/${world.namespace}/workflows/${purchase.checkoutId}`,
      'Incident dispute_open: fraudulent',
      /session +ap_chk_/,
    ],
    asked: () => ['why', 'rail_ap_dis_1'],
    answers: () => ({
      subject: { id: 'ap_dis_1', found_by: 'rail', rail_reference: 'rail_ap_dis_1' },
      request: null,
    }),
  },
  {
    command: 'search',
    told: () => ['search', 'ada@example.eu'],
    says: () => [/^KIND +ID +STATE +AMOUNT +CREATED +FOUND BY\n/, /session +ap_chk_.*customer/],
    asked: () => ['search', purchase.orderId],
    answers: () => [{ id: purchase.checkoutId, found_by: 'order' }],
  },
  {
    command: 'follow, of what has ended',
    told: () => ['follow', nth(named.railIds, 0)],
    says: () => [/attempt 1 claimed +\(ap_pay_/, /call to the rail started +\(ap_pay_/],
    asked: () => ['follow', nth(named.paid, 0)],
    answers: () => ({ what: 'attempt 1 claimed', id: nth(named.paid, 0) }),
  },
  {
    command: 'ask, by the id at the rail',
    told: () => ['ask', nth(named.railIds, 0)],
    says: () => [/^The rail reports lookup: approved.* \(\d+ ms\)\.\n$/],
    asked: () => ['ask', nth(named.railIds, 1)],
    answers: () => ({ ...done, message: expect.stringContaining('The rail reports lookup: approved') }),
  },
  {
    command: 'credit',
    told: () => ['credit', nth(named.invoices, 0), ...because, '--evidence', 'the letter', '--yes'],
    says: () => [new RegExp(`^${nth(named.invoices, 0)} is credited: .*CN-`)],
    asked: () => ['credit', nth(named.invoices, 1), ...because, '--evidence', 'the letter', '--yes'],
    answers: () => ({ ...done, message: expect.stringContaining('is credited') }),
  },
  {
    command: 'pause-rail',
    told: () => ['pause-rail', world.shop.railAccountId, ...because],
    says: () => [`${world.shop.railAccountId} accepts no new attempts until resume-rail.`],
    asked: () => ['pause-rail', 'sandbox:sandbox', ...because],
    answers: () => ({ ...done, message: 'sandbox:sandbox accepts no new attempts until resume-rail.' }),
  },
  {
    command: 'why of a rail',
    told: () => ['why', 'sandbox:sandbox'],
    says: () => ['rail sandbox:sandbox (the whole installation, sandbox)', 'paused: Paused by an operator'],
    asked: () => ['why', 'sandbox:sandbox'],
    answers: () => ({ subject: { state: 'paused' }, incidents: [{ kind: 'rail_unavailable' }] }),
  },
  {
    command: 'resume-rail',
    told: () => ['resume-rail', world.shop.railAccountId, ...because],
    says: () => [`${world.shop.railAccountId} accepts new attempts.`],
    asked: () => ['resume-rail', 'sandbox:sandbox', ...because],
    answers: () => ({ ...done, message: 'sandbox:sandbox accepts new attempts.' }),
  },
  {
    command: 'endpoint pause',
    told: () => ['endpoint', 'pause', nth(named.endpoints, 0), ...because],
    says: () => [`${nth(named.endpoints, 0)} is paused: its events are held.`],
    asked: () => ['endpoint', 'pause', nth(named.endpoints, 1), ...because],
    answers: () => ({ ...done, message: expect.stringContaining('is paused') }),
  },
  {
    command: 'endpoint resume',
    told: () => ['endpoint', 'resume', nth(named.endpoints, 0), ...because],
    says: () => [`${nth(named.endpoints, 0)} is enabled.\n`],
    asked: () => ['endpoint', 'resume', nth(named.endpoints, 1), ...because],
    answers: () => ({ ...done, message: expect.stringContaining('is enabled') }),
  },
  {
    command: 'endpoint redeliver',
    told: () => ['endpoint', 'redeliver', nth(named.endpoints, 0), '--event', named.event, ...because],
    says: () => [`${named.event} is sent again now.`],
    asked: () => ['endpoint', 'redeliver', nth(named.endpoints, 1), '--event', named.event, ...because],
    answers: () => ({ ...done, message: `${named.event} is sent again now.` }),
  },
  {
    command: 'endpoint recover',
    told: () => [
      'endpoint',
      'recover',
      nth(named.endpoints, 0),
      '--since',
      '2026-01-01T00:00:00Z',
      ...because,
    ],
    says: () => [`Events that ${nth(named.endpoints, 0)} missed from 2026-01-01T00:00:00.000Z to`],
    asked: () => [
      'endpoint',
      'recover',
      nth(named.endpoints, 1),
      '--since',
      '2026-01-01T00:00:00Z',
      ...because,
    ],
    answers: () => ({ ...done, message: expect.stringMatching('(is|are) sent again') }),
  },
  {
    command: 'stop-merchant',
    told: () => ['stop-merchant', nth(named.merchants, 0), ...because, '--yes'],
    says: () => [`${nth(named.merchants, 0)} is stopped: its keys are refused`],
    asked: () => ['stop-merchant', nth(named.merchants, 1), ...because, '--yes'],
    answers: () => ({ ...done, message: expect.stringContaining('is stopped') }),
  },
  {
    command: 'why of a stopped merchant',
    told: () => ['why', nth(named.merchants, 0)],
    says: () => [/merchant\.update by operator:\S+, status active → inactive: because/],
    asked: () => ['why', nth(named.merchants, 0)],
    answers: () => ({ commands: [{ command: 'start_merchant' }] }),
  },
  {
    command: 'list of stopped merchants',
    told: () => ['list', '--kind', 'merchant_stopped'],
    says: () => [
      /^ *merchant_stopped +- +.* \(both\) +ap_mer_/m,
      /stopped by operator:\S+ at \d{4}-.* UTC: because/,
      /next: npm run ops -- start-merchant ap_mer_\w+ --reason <why>/,
      'on-call.md#merchant_stopped',
    ],
    asked: () => ['list', '--merchant', nth(named.merchants, 1)],
    answers: () => [{ kind: 'merchant_stopped', amount: null, environment: null }],
  },
  {
    command: 'start-merchant',
    told: () => ['start-merchant', nth(named.merchants, 0), ...because, '--yes'],
    says: () => [`${nth(named.merchants, 0)} can sell again`],
    asked: () => ['start-merchant', nth(named.merchants, 1), ...because, '--yes'],
    answers: () => ({ ...done, message: expect.stringContaining('can sell again') }),
  },
  {
    command: 'health',
    told: () => ['health'],
    says: () => [
      /^PART +STATE +ANSWER\n/,
      /postgresql +ok +\d+ of \d+ connections/,
      /temporal +ok/,
      /workers +ok +1: /,
    ],
    asked: () => ['health'],
    answers: () =>
      expect.arrayContaining([
        { part: 'sweep', ok: true, said: expect.stringMatching(/^last round \d+ (s|min) ago$/) },
      ]),
  },
  {
    command: 'attempts',
    told: () => ['attempts'],
    says: () => [
      /^MERCHANT +RAIL +STATE/,
      /sandbox +succeeded +- +\d/,
      /ACCOUNT +RAIL +CALL/,
      /approved +- +\d+ +\d+ ms/,
    ],
    asked: () => ['attempts', '--minutes', '5', '--merchant', world.shop.merchantId],
    answers: () => ({ attempts: expect.arrayContaining([expect.objectContaining({ status: 'succeeded' })]) }),
  },
  {
    command: 'queues',
    told: () => ['queues'],
    says: () => [
      /^QUEUE +TASKS +POLLING/,
      /checkout +workflow +1 +20\d\d-/,
      /No workflow has failing tasks|Temporal does not list failing workflows/,
    ],
    asked: () => ['queues'],
    answers: () => ({
      queues: expect.arrayContaining([expect.objectContaining({ tasks: 'activity', waiting: 0 })]),
    }),
  },
  {
    command: 'sweep',
    told: () => ['sweep'],
    says: () => [
      /^Last round: \d+ (s|min) ago\./,
      'There is no Schedule: a worker creates it when it starts.',
    ],
    asked: () => ['sweep'],
    answers: () => ({ seconds_since_last: expect.any(Number), schedule: null }),
  },
];

test.each(ROWS)('$command prints its result as text and as JSON', async ({ told, says, asked, answers }) => {
  const [text, json] = await Promise.all([ops(told()), ops([...asked(), '--json'])]);
  for (const part of says()) expect(text.out).toMatch(part);
  expect([text, json].map(({ code, err }) => (code === 0 ? '' : err))).toEqual(['', '']);
  // "follow" prints a line per entry.
  expect(JSON.parse(json.out.split('\n')[0] ?? '')).toMatchObject(answers());
});

describe('a request that needs a second person', () => {
  test('shows its effect in advance, and is confirmed by somebody other than its requester', async () => {
    const [first, second] = await Promise.all([ask('ap_dis_1'), ask('ap_dis_2')]);
    const [listed, told] = await Promise.all([ops(['list']), ops(['why', first])]);
    const command = 'command: dispute_close ap_dis_1 as won';
    for (const { out } of [listed, told])
      for (const line of [
        command,
        'amount: 19.00 EUR',
        'reason: because',
        'evidence: the letter',
        'requested by: person:ada',
      ])
        expect(out).toContain(line);
    expect(listed.out).toContain(`payment: ${purchase.paymentId}\n`);
    const [table = ''] = listed.out.split('\n\n');
    const widths = table.split('\n').map(({ length }) => length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(120);
    const alone = await ops(['confirm', first], 'ada');
    expect(alone).toMatchObject({ code: 1, err: expect.stringContaining('You requested it yourself') });
    const [text, json, machine] = await Promise.all([
      ops(['confirm', first], 'ben'),
      ops(['confirm', second, '--json'], 'ben'),
      ops(['confirm', second]),
    ]);
    expect(text).toEqual({
      code: 0,
      out: 'ap_dis_1 is recorded as won.\n',
      err: expect.stringContaining(command),
    });
    expect({ code: json.code, said: JSON.parse(json.out) }).toEqual({
      code: 0,
      said: { ...done, message: 'ap_dis_2 is recorded as won.' },
    });
    expect(machine).toMatchObject({ code: 1, err: expect.stringContaining('set OPS_TOKEN') });
    expect((await ops(['why', first])).out).toContain('carried_out: Confirmed, and executed or refused');
  });

  test('is withdrawn by the requester or by a colleague', async () => {
    const [first, second] = await Promise.all([ask('ap_dis_3'), ask('ap_dis_4')]);
    const [text, json] = await Promise.all([
      ops(['withdraw', first, ...because], 'ada'),
      ops(['withdraw', second, ...because, '--json'], 'ben'),
    ]);
    const words = (id: string) => `The request about ${id} is withdrawn: a new one can be made.`;
    expect(text).toEqual({ code: 0, out: `${words('ap_dis_3')}\n`, err: '' });
    expect(JSON.parse(json.out)).toEqual({ ...done, message: words('ap_dis_4') });
    expect(await ops(['withdraw', first, ...because], 'ada')).toMatchObject({ code: 1 });
  });
});

test('a merchant with a key, a product and a price is created without an identity provider', async () => {
  const run = (...args: readonly string[]) => runOps(args, { ...base, API_KEY_PEPPER: TEST_PEPPER });
  const created = async (...args: readonly string[]) => {
    const { code, out, err } = await run(...args, '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return JSON.parse(out);
  };
  const merchant = await created('merchant', 'create', '--name', 'Harbour Coffee');
  const product = await created(
    'product',
    'create',
    merchant.id,
    '--name',
    'Beans',
    '--external-reference',
    'b-1',
  );
  expect(product).toMatchObject({ merchant_id: merchant.id, external_reference: 'b-1', active_price: null });
  const price = ['price', 'create', merchant.id, product.id, '--amount', '900', '--tax-rate', '7.5'];
  expect(await created(...price)).toMatchObject({ amount: 900, tax_rate: 7.5, billing_mode: 'one_time' });
  expect(await created(...price, '--interval', 'month', '--trial-period-days', '14')).toMatchObject({
    status: 'active',
    recurring: { interval: 'month', interval_count: 1, trial_period_days: 14 },
  });
  const live = ['key', 'create', merchant.id, '--environment', 'production', '--name', 'Importer'];
  const key = await created(...live, '--scope', 'catalogue', '--expires-at', '2999-01-01T00:00:00Z');
  expect(key).toMatchObject({
    key: expect.stringMatching(/^ap_live_/),
    name: 'Importer',
    scope: 'catalogue',
    created_by: `operator:${userInfo().username}`,
    expires_at: '2999-01-01T00:00:00.000Z',
  });
  const keys = await world.pool.any(sql.type(z.object({ hmac: z.instanceof(Buffer) }))`
    select key_hmac as hmac from api_keys where merchant_id = ${merchant.id} order by id`);
  expect(keys.map(({ hmac }) => hmac)).toEqual(
    [merchant.api_key.key, key.key].map((each) => hashApiKey(each, TEST_PEPPER)),
  );
  expect((await ops(['audit', product.id])).out).toContain(`operator:${userInfo().username}`);

  expect(await run('merchant', 'create', '--name', 'Tea')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Merchant ap_mer_\w+\nIts key for the sandbox, shown once: ap_test_\w+\n$/),
  });
  const refused = async (...args: readonly string[]) => {
    const { code, err } = await run(...args);
    return `${code}: ${err.split('\n')[0]}`;
  };
  expect(await refused('key', 'create', 'ap_mer_0', '--environment', 'sandbox', '--name', 'Shop')).toBe(
    '1: The merchant does not exist.',
  );
  expect(await refused('product', 'create', 'ap_mer_0', '--name', 'Beans')).toBe(
    '1: The merchant does not exist.',
  );
  expect(await refused('price', 'create', 'ap_mer_0', product.id, '--amount', '900', '--tax-rate', '7')).toBe(
    '1: The product does not exist.',
  );
  expect(await refused(...price, '--interval-count', '2')).toBe('1: The recurring price has no interval.');
  expect(await refused('product', 'create', merchant.id)).toBe('2: --name is required.');
  expect(await refused(...price, '--currency', 'DM')).toMatch(/^2: --currency must be /);
  expect(await refused('price', 'create', merchant.id)).toBe('2: A product id (ap_prod_…) is required.');
  const unset = await ops(['key', 'create', merchant.id, '--environment', 'sandbox', '--name', 'Shop']);
  expect(unset.err).toContain('Set API_KEY_PEPPER');
});

test('`health` reports that PostgreSQL refuses writes', async () => {
  const url = new URL(world.databaseUrl);
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const { code, out } = await runOps(['health'], { ...base, DATABASE_URL: url.href });
  expect(code).toBe(1);
  expect(out).toMatch(
    /postgresql +DOWN +CheckoutDatabaseDown: cannot execute CREATE TABLE AS in a read-only transaction/,
  );
});

test('`locks` shows the database session that blocks others, and ends it', async () => {
  const forgotten = await openPool({ url: world.databaseUrl, maxConnections: 1 });
  const row = sql.unsafe`select from merchants where id = ${world.shop.merchantId} for update`;
  expect((await ops(['locks'])).out).toContain('No session waits for a lock now.');
  const held = forgotten.transaction(async (tx) => {
    await tx.query(row);
    await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
  });
  held.catch(() => {});
  const pid = await eventually(() =>
    world.pool.oneFirst(sql.type(z.object({ pid: z.number() }))`
      select pid from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`),
  );
  await eventually(async () => {
    const { code, out } = await ops(['locks']);
    expect(code).toBe(0);
    expect(out).toContain(
      `Session ${pid} is idle in a transaction; statements that waited for it have timed out and will be retried: ` +
        `npm run ops -- locks --end ${pid}`,
    );
  });
  const waits = await openPool({ url: world.databaseUrl, maxConnections: 1, statementTimeoutMs: 60_000 });
  const waiting = waits.query(row);
  waiting.catch(() => {});
  await eventually(async () => {
    const { code, out } = await ops(['locks']);
    expect(code).toBe(1);
    expect(out).toContain(`npm run ops -- locks --end ${pid} --reason <why>`);
  });
  await eventually(async () => {
    const { code, out } = await ops(['health']);
    expect(code).toBe(1);
    expect(out).toMatch(
      /postgresql +DOWN +CheckoutPoolExhausted: .*; statements that wait for a lock: 1; next: npm run ops -- locks$/m,
    );
  });
  expect((await ops(['locks', '--end', `${pid}`])).err).toContain('--reason is required.');
  expect(await ops(['locks', '--end', `${pid}`, ...because])).toMatchObject({
    code: 0,
    out: `Session ${pid} has ended.\n`,
  });
  await waiting;
  expect((await ops(['audit', `${pid}`])).out).toMatch(/database_session\.end +\d+ +because/);
  await Promise.all([forgotten.end(), waits.end()]);
});

test('a command that waits for a lock suggests `locks`', async () => {
  const locking = world.pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`lock table payments in access exclusive mode`);
    return ops(['attempts']);
  });
  expect(await locking).toMatchObject({
    code: 1,
    err: 'PostgreSQL did not answer within ten seconds. Next: npm run ops -- locks.\n',
  });
});

test('a command that is already done or does not apply is refused with exit code 1', async () => {
  const { railAccountId } = world.shop;
  await ops(['pause-rail', railAccountId, ...because]);
  const [twice, enabled, nothing] = await Promise.all([
    ops(['pause-rail', railAccountId, ...because]),
    ops(['endpoint', 'resume', nth(named.endpoints, 0), ...because, '--json']),
    ops(['search', 'nobody@example.eu']),
  ]);
  expect(twice).toMatchObject({ code: 1, err: `${railAccountId} was already paused.\n` });
  expect(enabled).toMatchObject({ code: 1, err: `${nth(named.endpoints, 0)} is already enabled.\n` });
  expect(nothing).toMatchObject({ code: 1, out: 'Nothing was found.\n' });
  await ops(['resume-rail', railAccountId, ...because]);
});

test('`endpoint recover` refuses an instant in the future', async () => {
  const recover = ['endpoint', 'recover', nth(named.endpoints, 0), '--since', '2999-01-01T00:00:00Z'];
  const { code, err } = await ops([...recover, ...because]);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('must not be in the future') });
});

test('`search` says that it shows only the newest 50', async () => {
  const { pool } = world;
  await insertSessions(pool, { like: purchase.checkoutId, ago: '9 minutes', count: 50, arePaid: false });
  const { out, err } = await ops(['search', 'ada@example.eu']);
  expect(out.match(/^session /gm)?.length).toBeLessThanOrEqual(50);
  expect(err).toBe('Only the newest 50 are shown.\n');
});

describe('an id argument', () => {
  test('resolves to the one object that the command accepts, and the output names it', async () => {
    const { code, err } = await ops(['dispute', 'close', 'rail_ap_dis_3', ...close], 'ada');
    expect({ code, err }).toEqual({ code: 1, err: 'rail_ap_dis_3 is dispute ap_dis_3.\n' });
    const ofInvoice = await ops(['ask', purchase.invoiceId]);
    expect(ofInvoice.err).toContain(`${purchase.invoiceId} is session ${purchase.checkoutId}.\n`);
  });

  test('changes nothing if it is ambiguous or of another kind: the output lists the matches or the related ids', async () => {
    const request = ['--outcome', 'failed', ...because, '--evidence', 'e'];
    const { pool, shop } = world;
    const other = await insertPurchase(pool, shop, shop.products.oneTime);
    await pool.query(sql.unsafe`
      update checkouts set merchant_reference = 'cart-7' where id in (${purchase.checkoutId}, ${other.checkoutId})`);
    const [several, another] = await Promise.all([
      ops(['resolve', 'cart-7', ...request]),
      ops(['resolve', nth(named.railIds, 0), ...request]),
    ]);
    expect(several).toMatchObject({ code: 1, err: expect.stringContaining('2 subjects match cart-7') });
    for (const id of [purchase.checkoutId, other.checkoutId]) expect(several.err).toContain(id);
    expect(another.code).toBe(1);
    expect(another.err).toMatch(/The command does not accept.*\n.*\n *payment +ap_pay_/);
    expect(another.err).toMatch(/Related:\n.*\nsession +ap_chk_/);
    expect(await pool.any(sql.unsafe`select from resolve_requests`)).toEqual([]);
  });
});

describe('OPS_TOKEN', () => {
  test.each<[string, () => Promise<NodeJS.ProcessEnv>, string]>([
    ['that is not a token', async () => ({ OPS_TOKEN: 'nonsense' }), 'OPS_TOKEN is not accepted'],
    [
      'of an owner',
      async () => ({ OPS_TOKEN: await provider.token({ role: 'owner' }) }),
      "OPS_TOKEN's role may not do this: platform is required.",
    ],
    [
      'without a provider',
      async () => ({ OPS_TOKEN: 'a', OIDC_ISSUER: undefined, OIDC_AUDIENCE: undefined }),
      'set OIDC_ISSUER and OIDC_AUDIENCE as well',
    ],
  ])('%s is refused before the command does anything', async (_which, env, words) => {
    const args = ['stop-merchant', world.shop.merchantId, ...because, '--yes'];
    const { code, err } = await runOps(args, { ...base, ...(await env()) });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(words) });
  });

  test('is checked by `rail check` as well', async () => {
    const { code, err } = await runOps(['rail', 'check', world.shop.railAccountId], {
      ...base,
      OPS_TOKEN: 'nonsense',
    });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('OPS_TOKEN is not accepted') });
  });
});

test('`audit` lists the entries of one person or one id, paginated', async () => {
  const machine = `operator:${userInfo().username}`;
  const [ofBen, ofRail] = await Promise.all([
    ops(['audit', '--actor', 'person:ben']),
    ops(['audit', 'sandbox:sandbox', '--json']),
  ]);
  expect(ofBen.out).toMatch(/^AT +WHO +WHAT +ID +REASON\n/);
  expect(ofBen.out).toMatch(/person:ada, confirmed by person:ben +dispute\.close +ap_dis_1 +because/);
  expect(ofBen.out).not.toContain(machine);
  const [resumed, paused] = JSON.parse(ofRail.out);
  expect(resumed).toMatchObject({ actor: machine, action: 'rail.resume', merchant_id: null });
  expect(paused).toMatchObject({ actor: machine, action: 'rail.pause', after: { reason: 'because' } });
  const older = await ops(['audit', 'sandbox:sandbox', '--cursor', resumed.id, '--json']);
  expect(JSON.parse(older.out)).toEqual([paused]);
  expect((await ops(['audit', '--cursor', 'x'])).code).toBe(2);
});

test('`sweep` and `deploy` audit what they changed, and nothing that Temporal refused', async () => {
  const rowsOf = async (id: string) => JSON.parse((await ops(['audit', id, '--json'])).out);
  expect((await ops(['deploy', 'current', 'b'])).err).toMatch(/^Deployment hosted-checkout: /);
  expect(await rowsOf('hosted-checkout')).toEqual([]);
  expect((await ops(['sweep', '--now'])).code).toBe(1);
  expect(await rowsOf('sweep')).toEqual([]);
  await ensureSchedules(world.client);
  try {
    await world.client.schedule.getHandle('sweep').pause();
    expect((await ops(['sweep', '--unpause', '--now'])).err).toBe('');
    expect((await ops(['sweep', '--unpause'])).err).toBe('');
    const actor = `operator:${userInfo().username}`;
    expect(await rowsOf('sweep')).toMatchObject([
      { actor, action: 'sweep.start', merchant_id: null },
      { actor, action: 'sweep.unpause', merchant_id: null },
    ]);
  } finally {
    await world.client.schedule.getHandle('sweep').delete();
  }
});

test('a change that timed out at Temporal leaves its audit row, because it may still take effect', async () => {
  const context = { pool: world.pool, actor: async () => 'person:ada' };
  const entry = { action: 'deployment.ramp', after: {} } as const;
  const failing = (subjectId: string, code: number) =>
    audited(context, { ...entry, subjectId }, () =>
      Promise.reject(Object.assign(new Error('fails'), { code, details: 'fails', metadata: {} })),
    );
  await expect(failing('timed_out', 4)).rejects.toMatchObject({ code: 4 });
  await expect(failing('refused', 9)).rejects.toMatchObject({ code: 9 });
  const rows = sql.unsafe`select subject_id from audit_log where subject_id in ('timed_out', 'refused')`;
  expect(await world.pool.any(rows)).toEqual([{ subject_id: 'timed_out' }]);
});
