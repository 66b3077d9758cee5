/** `npm run ops` as a process: invalid command lines, `resolve`, and finding an account's id. */
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { workersPart } from '../../bin/ops/health.ts';
import { beat, SWEEP } from '../../db/core/heartbeats.ts';
import { openPool, type Pool, sql } from '../../db/core/pool.ts';
import { storeRailAnswer } from '../../db/payment/rail-answers.ts';
import { askUntilAnswered } from '../../db/payment/rail-webhooks.ts';
import { answerResolveRequest } from '../../db/payment/resolve-requests.ts';
import type { QueueState } from '../../platform/temporal/queue-states.ts';
import { eventually } from '../support/core/eventually.ts';
import {
  insertMerchant,
  insertPurchase,
  insertRailAccount,
  insertSession,
  insertShop,
} from '../support/db/fixtures.ts';
import { createTestDatabase, type TestDatabase } from '../support/db/postgres.ts';
import { runOps } from '../support/stack/ops.ts';
import { createTestNamespace } from '../support/temporal/temporal.ts';

let database: TestDatabase;
let pool: Pool;
let merchantId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = await openPool({ url: database.url, maxConnections: 1 });
  merchantId = await insertMerchant(pool);
});
// Records a sweep before each test, because the file may take longer than a sweep may be late.
beforeEach(() => beat(pool, SWEEP));
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

/** No Temporal, even alongside `npm start`. */
const ops = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runOps(args, { DATABASE_URL: database.url, TEMPORAL_ADDRESS: '127.0.0.1:1', ...env });

const storedRequests = sql.type(z.object({ id: z.string() }))`select id from resolve_requests`;
const set = (merchant: string, environment: string, rail: string) => [
  'rail',
  'set',
  merchant,
  '--environment',
  environment,
  '--rail',
  rail,
];

/** PostgreSQL's error to a connection while it starts. */
const STARTING_UP = (() => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0');
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + fields.length);
  return Buffer.concat([Buffer.from('E'), length, fields]);
})();
const NOWHERE = { DATABASE_URL: 'postgres://127.0.0.1:1/checkout' };

test('arguments are checked before connecting, and the error names an unreachable database', async () => {
  const settle = ['resolve', 'ap_chk_1', '--outcome', 'failed', '--reason', 'r', '--evidence'];
  expect(await ops([...settle, ''], NOWHERE)).toMatchObject({
    code: 2,
    err: expect.stringContaining('--evidence must not be empty.'),
  });
  expect(await ops([...settle, 'ticket 7'], NOWHERE)).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^PostgreSQL does not answer: connect ECONNREFUSED .* Next: npm run ops -- health\. Is DATABASE_URL right/,
    ),
  });
  const { code, out, err } = await ops(['list', '--json'], NOWHERE);
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(JSON.parse(out)).toEqual({
    error: expect.stringMatching(/^PostgreSQL does not answer: connect ECONNREFUSED/),
  });
});

test('a database that is starting is reported as starting', async () => {
  const starting = createServer((socket) => socket.once('data', () => socket.end(STARTING_UP)));
  await new Promise<void>((listening) => starting.listen(0, '127.0.0.1', listening));
  const { port } = starting.address() as AddressInfo;
  const { code, err } = await ops(['list'], { DATABASE_URL: `postgres://127.0.0.1:${port}/checkout` });
  starting.close();
  expect({ code, err }).toEqual({
    code: 1,
    err: 'PostgreSQL is starting: the database system is starting up. Try again in a moment.\n',
  });
});

test('`queues` works without PostgreSQL', async () => {
  const { code, err } = await ops(['queues'], { ...NOWHERE, TEMPORAL_ADDRESS: '127.0.0.1:1' });
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('Temporal does not answer') });
});

test('`queues` does not claim that no worker runs, because busy workers do not poll either', async () => {
  const { address, namespace } = await createTestNamespace();
  const { code, out } = await ops(['queues'], { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace });
  expect(code).toBe(1);
  expect(out).toContain(
    '\nPolled in the last 75 s by: none\nA queue without polls has no worker, or all of them are busy',
  );
});

test('`health` works while PostgreSQL and Temporal are down', async () => {
  const { code, out, err } = await ops(['health'], { ...NOWHERE, TEMPORAL_ADDRESS: '127.0.0.1:1' });
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(out).toMatch(/^postgresql +DOWN +CheckoutDatabaseDown: connect ECONNREFUSED/m);
  expect(out).toMatch(/^temporal +DOWN +temporal_unavailable: no answer within 5 s/m);
  expect(out).toMatch(/^workers +\? +not checked while Temporal is DOWN$/m);
});

test('`health` does not assess the workers while PostgreSQL is down', async () => {
  const { address, namespace } = await createTestNamespace();
  const env = { ...NOWHERE, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
  const { out } = await ops(['health'], env);
  expect(out).toMatch(/^workers +\? +not checked while PostgreSQL is DOWN$/m);
  expect((await ops(['health'], { ...env, DATABASE_URL: database.url })).out).toMatch(
    /^workers +DOWN +workers_missing: no worker takes tasks of/m,
  );
});

test('`health` names three failing endpoints with their last responses', async () => {
  const shop = await insertShop(pool);
  const { out } = await ops(['health']);
  expect(out).toMatch(/^endpoints +ok +none fails$/m);
  await pool.query(sql.unsafe`
    insert into webhook_endpoints (id, merchant_id, environment, url, secret, failing_since)
    select 'ap_whe_' || n, ${shop.merchantId}, 'sandbox', 'https://shop.example', '\\x00',
      '2026-01-31T00:12:00Z'::timestamptz + n * interval '1 minute' from generate_series(0, 4) n`);
  await pool.query(sql.unsafe`
    insert into delivery_attempts (endpoint_id, event_id, attempt, at, duration_ms, status, error)
    values ('ap_whe_0', 'ap_evt_1', 1, now(), 4, 500, 'the endpoint answered 500')`);
  expect((await ops(['health'])).out).toMatch(
    /^endpoints +ok +5 failing: ap_whe_0 since 00:12 UTC \(the endpoint answered 500\), ap_whe_1 since 00:13 UTC, ap_whe_2 .*, 2 more$/m,
  );
  await pool.query(sql.unsafe`delete from webhook_endpoints`);
});

describe('`health` while tasks wait', () => {
  const polled = (queue: string, tasks: QueueState['tasks'], secondsAgo: number, oldest = 0): QueueState => ({
    queue,
    environment: 'sandbox',
    tasks,
    workers: ['7@vm'],
    last_poll_at: new Date(Date.now() - secondsAgo * 1_000).toISOString(),
    waiting: oldest > 0 ? 60 : 0,
    oldest_seconds: oldest,
  });

  test.each([
    [
      'no worker has polled, workers count as hung',
      [40, 42],
      /sandbox-checkout wait, the oldest for 63 s; workers hang: last poll 40 s ago; /,
    ],
    [
      'workers still poll for workflow tasks, workers do not count as hung',
      [1, 42],
      /; workers poll, so Temporal is slow or there are too few workers: /,
    ],
    [
      'workers poll for all tasks, workers do not count as hung',
      [0, 0],
      /; workers poll, so .*"pause-rail <rail>:<environment>"\) until "queues" shows no waiting tasks/,
    ],
  ])('and %s', (_how, [workflow = 0, activity = 0], words) => {
    const late = [
      polled('sandbox-checkout', 'workflow', workflow, 63),
      polled('sandbox-checkout', 'activity', activity),
    ];
    const part = workersPart([...late, polled('sandbox-billing', 'workflow', 5)]);
    expect(part).toMatchObject({ part: 'workers', ok: false, said: expect.stringMatching(words) });
  });

  test('a task type that was never polled has no worker, even if the other type is polled', () => {
    const never = { ...polled('sandbox-checkout', 'activity', 0), last_poll_at: null, workers: [] };
    expect(workersPart([polled('sandbox-checkout', 'workflow', 40, 63), never])).toMatchObject({
      part: 'workers',
      ok: false,
      said: 'no worker takes tasks of sandbox-checkout; polled in the last minute: 7@vm',
    });
  });

  test('tasks may wait for 20 s, the limit of `list`', () => {
    const waiting = (seconds: number) => workersPart([polled('sandbox-checkout', 'workflow', 1, seconds)]);
    expect([waiting(20), waiting(21)]).toMatchObject([{ ok: true }, { ok: false }]);
  });

  test('a queue without waiting tasks is healthy although its last poll began 59 s ago', () => {
    expect(workersPart([polled('sandbox-billing', 'workflow', 59)])).toMatchObject({ ok: true });
  });
});

describe('the command line', () => {
  test.each([
    [
      'without a merchant',
      ['rail', 'set', '--environment', 'sandbox', '--rail', 'stripe'],
      'A merchant id (ap_mer_…) is required.',
    ],
    [
      'for an unknown environment',
      set('ap_mer_1', 'test', 'stripe'),
      '--environment must be sandbox or production.',
    ],
    ['with an unknown option', ['rail', 'check', 'ap_rac_1', '--aply'], "Unknown option '--aply'"],
    [
      'with a merchant id instead of an account id',
      ['rail', 'check', 'ap_mer_1'],
      'A rail account id (ap_rac_…) is required.',
    ],
    ['that lists accounts without a merchant', ['rail', 'list'], 'A merchant id (ap_mer_…) is required.'],
    [
      'that resolves without an id',
      ['resolve', '--outcome', 'failed'],
      'The id of a session, subscription or refund is required.',
    ],
    [
      'that closes a dispute without an id',
      ['dispute', 'close'],
      'The id of a dispute (ap_dis_…) is required.',
    ],
    ['that credits without an invoice', ['credit'], 'The id of an invoice (ap_inv_…) is required.'],
    ['that records a return without a payment', ['returned'], 'The id of a payment (ap_pay_…) is required.'],
    [
      'that records a return without evidence',
      ['returned', 'ap_pay_1', '--reason', 'r'],
      '--evidence is required.',
    ],
    ['that announces a restore without a terminal', ['restored'], 'Without a terminal, --yes is required.'],
    [
      'that compares since an invalid instant',
      ['restored', '--yes', '--since', 'noon'],
      '--since must be a timestamp',
    ],
    [
      'that compares since an instant without an offset',
      ['restored', '--yes', '--since', '2026-05-03T10:00:00'],
      '--since must be a timestamp',
    ],
    [
      'that resolves two sessions at once',
      ['resolve', 'ap_chk_1', 'ap_chk_2', '--outcome', 'failed', '--reason', 'r', '--evidence', 'e'],
      'Unexpected arguments: ap_chk_2.',
    ],
    [
      'that confirms two requests at once',
      ['confirm', 'ap_opr_1', 'ap_opr_2'],
      'Unexpected arguments: ap_opr_2.',
    ],
    [
      'that stops a merchant by a name without quotes',
      ['stop-merchant', 'Harbour', 'Coffee', '--reason', 'r', '--yes'],
      'Unexpected arguments: Coffee.',
    ],
    ['that lists an id', ['list', 'ap_chk_1'], 'Unexpected arguments: ap_chk_1.'],
    [
      'that creates a price in euros instead of cents',
      ['price', 'create', 'ap_mer_1', 'ap_prod_1', '--amount', '19.00', '--tax-rate', '7'],
      '--amount must be a whole number.',
    ],
    [
      'that counts the attempts of no time',
      ['attempts', '--minutes', '0'],
      '--minutes must be a whole number from 1 to 9999.',
    ],
    [
      'that imports with an empty tax rate',
      ['import', 'stripe', 'ap_mer_1', '--environment', 'sandbox', '--tax-rate', ''],
      '--tax-rate must be a percentage.',
    ],
    [
      'that settles without evidence',
      ['restored', 'settle', 'ap_pay_1'],
      'An id and --evidence are required.',
    ],
    [
      'that resolves without evidence',
      ['resolve', 'ap_chk_1', '--outcome', 'failed', '--reason', 'r'],
      '--evidence is required.',
    ],
    ['that confirms without a request', ['confirm'], 'The id of a request (ap_opr_…) is required.'],
    [
      'that redelivers without an event',
      ['endpoint', 'redeliver', 'ap_whe_1', '--reason', 'r'],
      '--event is required',
    ],
    ['that lists an unknown kind', ['list', '--kind', 'odd'], 'Unknown kind odd. The kinds are'],
    [
      'that closes an incident that ends by itself',
      ['incident', 'close', 'overdue', 'ap_chk_1'],
      'other kinds close automatically',
    ],
    [
      'that closes an incident without a reason',
      ['incident', 'close', 'refund_failed', 'ap_ref_1'],
      '--reason is required: state what was done.',
    ],
  ])('%s prints the problem and the usage, and exits with 2', async (_how, args, words) => {
    const { code, out, err } = await ops(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(words);
    expect(err).toContain(`npm run ops -- ${args[0]}`);
  });

  test('the first word of a two-word command lists only the commands that begin with it', async () => {
    const { code, out, err } = await ops(['rail']);
    expect({ code, err }).toEqual({ code: 2, err: 'Incomplete command: rail.\n\n' });
    expect(out.match(/npm run ops -- \w+ \w+/g)).toEqual(
      ['check', 'list', 'set'].map((each) => `npm run ops -- rail ${each}`),
    );
  });

  test('prints the complete help of a command with --help', async () => {
    const { code, out } = await ops(['rail', 'set', '--help']);
    expect(code).toBe(0);
    expect(out).toContain('never from arguments');
    expect(out).toContain('Exit code: 0 if the account can take money');
  });

  test('the help mentions only options that the command takes', async () => {
    const { out } = await ops(['start-merchant', '--help']);
    expect(out).toContain('The reason goes into the audit log');
    expect(out).not.toMatch(/evidence|--operator/);
    const { code, err } = await ops(['start-merchant', 'ap_mer_1', '--reason', 'r', '--operator', 'ada']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("Unknown option '--operator'") });
  });

  test.each([
    ['an unset database', { DATABASE_URL: '' }, 'Set DATABASE_URL'],
    [
      'a missing Temporal profile',
      { TEMPORAL_PROFILE: 'cluod' },
      "TEMPORAL_PROFILE: Profile 'cluod' not found",
    ],
  ])('reports %s without a stack trace', async (_what, env, words) => {
    const { code, err } = await ops(['rail', 'list', merchantId], env);
    expect(code).toBe(1);
    expect(err).toContain(words);
    expect(err.trim().split('\n').length).toBeLessThan(3);
  });
});

test('all invalid variables are reported together', async () => {
  const env = {
    OIDC_ISSUER: 'login.example',
    SECOND_PERSON_ABOVE: 'much',
    TEMPORAL_TLS_CLIENT_KEY_DATA: 'key',
  };
  const { code, err } = await ops(['list'], env);
  expect(code).toBe(1);
  const [first, ...faults] = err.trim().split('\n');
  expect(first).toBe('Invalid configuration (docs/configuration.md):');
  expect(faults.map((line) => line.trim().split(':')[0])).toEqual([
    'TEMPORAL_TLS_CLIENT_CERT_DATA',
    'SECOND_PERSON_ABOVE',
    'OIDC_ISSUER',
    'OIDC_ISSUER',
  ]);
});

describe('`list`', () => {
  test('exits with 1 when something needs an operator, and prints a table, the next command and links', async () => {
    const shop = await insertShop(pool, { name: 'Hafen' });
    const { id } = await insertSession(pool, shop, shop.products.oneTime);
    await pool.query(sql.unsafe`update checkouts set state = 'reconciliation_required' where id = ${id}`);
    const { code, out } = await ops(['list'], { TEMPORAL_UI_URL: 'http://temporal.example' });
    expect(code).toBe(1);
    expect(out).toMatch(/reconciliation_required +19\.00 EUR +\d+ s +Hafen \(sandbox\) +ap_chk_/);
    expect(out).toContain(`next: npm run ops -- ask ${id}`);
    expect(out).toContain(`http://temporal.example/namespaces/default/workflows/${id}`);
    // The second incident is Temporal's outage.
    expect(out).toContain('\n2 incidents, 19.00 EUR at stake.');
    expect((await ops(['list', '--kind', 'orphaned_charge'])).out).toBe(
      'No orphaned_charge; 2 of other kinds are open: temporal_unavailable, reconciliation_required.\n',
    );
    expect((await ops(['list', '--min-amount', '1901'])).out).toBe(
      'None matches; 2 are open without the filter: temporal_unavailable, reconciliation_required.\n',
    );
    expect(out.indexOf('temporal_unavailable: ')).toBeLessThan(out.indexOf('reconciliation_required: '));
    const json = await ops(['list', '--json', '--min-amount', '1901']);
    expect({ code: json.code, found: JSON.parse(json.out) }).toEqual({ code: 0, found: [] });
    await pool.query(sql.unsafe`update checkouts set state = 'created' where id = ${id}`);
  });
});

test('`list` excludes informational amounts from the money at stake', async () => {
  const shop = await insertShop(pool);
  const { id } = await insertSession(pool, shop, shop.products.oneTime);
  await pool.query(sql.unsafe`
    update checkouts set next_action_at = service_clock() - interval '6 minutes' where id = ${id}`);
  const { out } = await ops(['list', '--kind', 'overdue']);
  expect(out).toContain(id);
  expect(out).not.toContain('at stake');
  await pool.query(sql.unsafe`update checkouts set next_action_at = null where id = ${id}`);
});

test('`attempts` shows the code of an unknown outcome, or that there are no attempts', async () => {
  const shop = await insertShop(pool);
  const attempts = () => ops(['attempts', '--minutes', '1', '--merchant', shop.merchantId]);
  const { code, out } = await attempts();
  expect({ code, out }).toEqual({
    code: 1,
    out: expect.stringMatching(
      /in the last minute: .*\nNext: npm run ops -- health, then npm run ops -- queues\.\nIf this is about one merchant, it may have been stopped: .* why <ap_mer_…>/,
    ),
  });
  const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime, {
    paymentStatus: 'processing',
  });
  for (const tookMs of [20, 20, 3_000])
    await storeRailAnswer(pool, {
      account: { id: shop.railAccountId, rail: 'sandbox', environment: shop.environment },
      reference: paymentId,
      operation: 'charge',
      outcome: 'unknown',
      code: 'server_error',
      detail: null,
      tookMs,
      isAttempt: true,
    });
  const { out: shown } = await attempts();
  expect(shown).toMatch(/processing +server_error +1 +1 /);
  expect(shown).toMatch(/charge +unknown +server_error +3 +20 ms +3000 ms +3000 ms/);
});

test('`attempts` states when it omits rows, so that a quiet merchant does not seem to have no attempts', async () => {
  const shop = await insertShop(pool);
  const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime, { paymentStatus: 'failed' });
  await pool.query(sql.unsafe`
    insert into payments (merchant_id, environment, order_id, checkout_id, attempt_no, claim_id, rail_account_id, rail,
      status, amount, currency, failure_code)
    select merchant_id, environment, order_id, checkout_id, no, claim_id || no, rail_account_id, rail, 'failed', amount,
      currency, 'code_' || no
    from payments, generate_series(2, 21) no where id = ${paymentId}`);
  const attempts = (...of: string[]) => ops(['attempts', '--minutes', '1', ...of]);
  const ofShop = () => attempts('--merchant', shop.merchantId);
  const words = 'Only the 20 most frequent are shown';
  expect((await attempts()).out).toContain(`${words}; --merchant <ap_mer_…> filters by merchant.`);
  expect((await ofShop()).out).toContain(`${words}.`);
  await pool.query(sql.unsafe`update payments set failure_code = 'code_2' where failure_code = 'code_3'`);
  expect((await ofShop()).out).not.toContain(words);
});

describe('`why`', () => {
  test('shows how a stopped merchant can sell again, and its endpoints and rail accounts', async () => {
    const { merchantId: id, railAccountId } = await insertShop(pool);
    await pool.query(sql.unsafe`update merchants set status = 'inactive' where id = ${id}`);
    await pool.query(sql.unsafe`
      insert into webhook_endpoints (id, merchant_id, environment, url, secret)
      values ('ap_whe_stopped', ${id}, 'production', 'https://shop.example', '\\x00')`);
    const { out } = await ops(['why', id]);
    expect(out).toContain(`  next: npm run ops -- start-merchant ${id} --reason … --yes\n`);
    expect(out).toMatch(/^endpoint +ap_whe_stopped +enabled +production$/m);
    expect(out).toMatch(new RegExp(`^rail_account +${railAccountId} +active +sandbox$`, 'm'));
  });

  test('explains the sweep even while it runs', async () => {
    const { code, out } = await ops(['why', 'sweep']);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('swept: The sweep has run') });
  });

  test('links an incident to its runbook section, but not to itself', async () => {
    const shop = await insertShop(pool);
    const { paymentId, checkoutId } = await insertPurchase(pool, shop, shop.products.oneTime);
    await pool.query(sql.unsafe`
      insert into unrecorded_outcomes (workflow_id, reference, merchant_id, environment, amount, activity, error)
      values (${checkoutId}, ${paymentId}, ${shop.merchantId}, 'sandbox', 900, 'recordOutcome', '23514')`);
    const next = `next: npm run ops -- why ${paymentId}`;
    expect((await ops(['list'])).out).toContain(next);
    const { out } = await ops(['why', paymentId]);
    expect(out).toContain('Incident outcome_not_recorded: recordOutcome fails with 23514');
    expect(out).toContain('runbook: docs/on-call.md#outcome_not_recorded');
    expect(out).not.toContain(next);
    await pool.query(sql.unsafe`delete from unrecorded_outcomes where reference = ${paymentId}`);
  });
});

describe('`resolve`', () => {
  const request = ['--outcome', 'failed', '--reason', 'r', '--evidence', 'e'];

  test('with an unknown id fails and stores nothing', async () => {
    const { code, out, err } = await ops(['resolve', 'ap_chk_nobody', ...request]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe('Nothing has the id or reference ap_chk_nobody.\n');
    expect(await pool.any(storedRequests)).toEqual([]);
  });

  test('stores the request, starts a session’s workflow that is not running, and sends it the request', async () => {
    const { address, namespace } = await createTestNamespace();
    const shop = await insertShop(pool);
    const { checkoutId: id, paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
    await askUntilAnswered(pool, 'payment', paymentId);
    const env = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
    const asked = ops(['resolve', id, ...request, '--json'], env);
    const requestId = await eventually(() => pool.oneFirst(storedRequests));
    await answerResolveRequest(pool, requestId, 'done: failed');
    const { code, out, err } = await asked;
    expect({ code, said: JSON.parse(out) }).toEqual({
      code: 0,
      said: {
        done: true,
        message: expect.stringMatching(
          /^done: failed\. The rail has not confirmed it yet: it is asked until it answers/,
        ),
        waiting_request: null,
      },
    });
    expect(err).toBe('');
    const started = pool.oneFirst(
      sql.unsafe`select workflow_started_at is not null from checkouts where id = ${id}`,
    );
    expect(await started).toBe(true);
  });
});

describe('while Temporal is frozen', () => {
  const frozen = createServer();
  beforeAll(() => new Promise<void>((listening) => frozen.listen(0, '127.0.0.1', listening)));
  afterAll(() => void frozen.close());
  const env = () => ({ TEMPORAL_ADDRESS: `127.0.0.1:${(frozen.address() as AddressInfo).port}` });

  test('`ask` reports that Temporal does not answer', async () => {
    const shop = await insertShop(pool);
    const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
    await pool.query(sql.unsafe`
      insert into refunds (id, merchant_id, environment, payment_id, rail_account_id, operation_id, amount, currency)
      select 'ap_ref_frozen', merchant_id, environment, id, ${shop.railAccountId}, id, 100, 'EUR'
      from payments where id = ${paymentId}`);
    expect(await ops(['ask', 'ap_ref_frozen'], env())).toEqual({
      code: 1,
      out: '',
      err: 'Temporal does not answer: the call timed out. See npm run ops -- health.\n',
    });
  });

  test('`dispute close` succeeds, and the sweep updates the subscription later', async () => {
    const shop = await insertShop(pool);
    const { paymentId } = await insertPurchase(pool, shop, shop.products.recurring, { recurring: true });
    await pool.query(sql.unsafe`
      insert into disputes (id, merchant_id, environment, payment_id, subscription_id, rail_account_id, rail_dispute_id,
        status, amount, currency, reason, opened_at)
      select 'ap_dis_frozen', p.merchant_id, p.environment, p.id, s.id, ${shop.railAccountId}, 'dp_frozen', 'open',
        p.amount, p.currency, 'fraudulent', service_clock()
      from payments p join subscriptions s on s.checkout_id = p.checkout_id where p.id = ${paymentId}`);
    const close = [
      'dispute',
      'close',
      'ap_dis_frozen',
      '--status',
      'lost',
      '--reason',
      'r',
      '--evidence',
      'e',
      '--yes',
    ];
    expect(await ops(close, env())).toEqual({
      code: 0,
      out: 'ap_dis_frozen is recorded as lost.\n',
      err: expect.stringContaining('the sweep will act on it'),
    });
  });
});

describe('`rail set`', () => {
  test('rejects an unknown merchant and an unknown rail', async () => {
    const { code, err } = await ops(set('ap_mer_nobody', 'sandbox', 'stripe'), {
      PUBLIC_URL: 'https://pay.example',
    });
    expect({ code, err }).toEqual({ code: 1, err: 'Merchant ap_mer_nobody does not exist.\n' });
    const other = await ops(set(merchantId, 'sandbox', 'strip'));
    expect(other.err).toContain('Unknown rail strip. Available: stripe.');
    const keyless = await ops(set(merchantId, 'sandbox', 'stripe'), { PUBLIC_URL: 'https://pay.example' });
    expect(keyless.err).toMatch(/STRIPE_SECRET_KEY {2}"secretKey" {2}/);
  });
});

describe('`rail list`', () => {
  test("lists a merchant's accounts with their ids and without keys", async () => {
    expect((await ops(['rail', 'list', merchantId])).out).toContain('has no rail account');
    const id = await insertRailAccount(pool, { merchantId, environment: 'sandbox' });
    const { code, out } = await ops(['rail', 'list', merchantId]);
    expect({ code, out }).toEqual({ code: 0, out: `${id}  sandbox  sandbox  active\n` });
    const { out: json } = await ops(['rail', 'list', merchantId, '--json']);
    expect(JSON.parse(json)).toEqual([expect.objectContaining({ id, status: 'active' })]);
    expect(json).not.toContain('credential');
  });
});
