/**
 * Alerts about incidents that wait for an operator, triggered on the running service: each fires in
 * Prometheus for a real incident and clears when that ends. Rows are changed where waiting would take
 * hours. @needs promtool @reads deploy/observability
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type IncidentKind, RECORDED_KINDS } from '../../../contract/operations/incident-kinds.ts';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { disableRefusedAccount } from '../../../db/merchant/rail-account-trouble.ts';
import { recordContradiction } from '../../../db/payment/orphaned-charges.ts';
import { SecretBox } from '../../../platform/secrets/encryption.ts';
import { openTemporal } from '../../../platform/temporal/client.ts';
import { payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import { startObserve } from '../../../sandbox/observe/server.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { SWEEP_SCHEDULE_ID } from '../../../workflows/sweep/sweep-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { incidentsToMake } from '../../support/db/every-incident.ts';
import { insertProduct } from '../../support/db/fixtures.ts';
import { insertSessions } from '../../support/db/sales.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';
import { startReceiver, status } from '../../support/server/receiver.ts';
import { launchBrowser } from '../../support/stack/browser.ts';
import { type CreatedSession, startStack, type TestStack } from '../../support/stack/stack.ts';
import { advanceTo, buySubscription, subscriptionOf } from '../../support/stack/stack-subscriptions.ts';
import { dashboards } from '../../support/tool/observability-files.ts';
import { type Prometheus, startPrometheus } from '../../support/tool/prometheus.ts';

const LOST_ANSWER = '4000009000000110';
const CHARGED_AFTER_CANCEL = '4000009000000318';
const DISPUTED = '4000009000000524';
const DECLINED = '4000000000000002';
/** Spans several scrapes, because a rate needs two. */
const SHOWN_WITHIN_MS = 60_000;
/** Long enough for the sweep, which runs each minute, to do work that no message requested. */
const SWEPT_MS = 150_000;
const TEST_MS = 600_000;

/** Kinds that the tests below do not produce: they take days, or a person. */
const RARE_KINDS = [
  'charge_unanswered',
  'refund_failed',
  'refund_reversed_by_rail',
  'refund_carried_out',
  'second_person_needed',
  'dispute_not_found',
  'merchant_stopped',
  'rail_account_misconfigured',
  'endpoint_disabled',
  'webhook_deliveries_exhausted',
] as const satisfies readonly IncidentKind[];
const UNIT_OF_AXIS: Readonly<Record<string, RegExp>> = {
  short: /^[\d,.]+$/,
  none: /^[\d,]+\.\d\d$/,
  s: /^[\d,.]+ s$/,
  percentunit: /^[\d.]+ %$/,
  bytes: /^[\d.]+ MiB$/,
};

let stack: TestStack;
let pool: Pool;
let prometheus: Prometheus;

beforeAll(async () => {
  stack = await startStack({ env: { RECONCILE_SCHEDULE_SECONDS: '1,1' } });
  pool = await openPool({ url: stack.databaseUrl, maxConnections: 4 });
  prometheus = await startPrometheus(stack.metrics);
});
afterAll(async () => {
  await prometheus?.stop();
  await pool?.end();
  await stack?.stop();
});

const fires: Prometheus['fires'] = (...names) => prometheus.fires(...names);
const clears: Prometheus['clears'] = (...names) => prometheus.clears(...names);
const change = (statement: Parameters<Pool['query']>[0]) => pool.query(statement);
const readId = (statement: ReturnType<typeof sql.fragment>) =>
  pool.oneFirst(sql.type(z.object({ id: z.string() }))`${statement}`);

/** A command of `npm run ops`. */
async function ops(...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [join(PROJECT_DIR, 'bin/ops.ts'), ...args], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: stack.databaseUrl,
      SECRETS_KEY: stack.secretsKey,
      SANDBOX_RAIL_URL: stack.railUrl,
      TEMPORAL_ADDRESS: stack.temporal.address,
      TEMPORAL_NAMESPACE: stack.temporal.namespace,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await exited;
  expect({ args, code, out, err }).toMatchObject({ code: 0 });
}

async function atRail(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  expect((await fetch(`${stack.railUrl}/admin/${path}`, request)).ok).toBe(true);
}
const railRefuses = (operation: string) => atRail('faults', { operation, mode: '500', count: 10_000 });
const railHeals = () => fetch(`${stack.railUrl}/admin/faults`, { method: 'DELETE' });

const newSession = () => stack.createCheckout(stack.products.oneTime);
const paymentOf = ({ id }: CreatedSession) =>
  readId(sql.fragment`select id from payments where checkout_id = ${id}`);

/** @returns the id of the merchant's sandbox account */
const accountOf = (merchantName: string) =>
  readId(sql.fragment`
    select a.id from rail_accounts a join merchants m on m.id = a.merchant_id
    where m.name = ${merchantName} and a.environment = 'sandbox'`);

/** PostgreSQL refuses the rows of `table` to which `when` applies, until `seen` has ended. */
async function refusing(
  table: string,
  event: 'insert' | 'update',
  when: ReturnType<typeof sql.fragment>,
  seen: () => Promise<void>,
) {
  const name = sql.identifier([`refuse_${table}`]);
  await change(sql.unsafe`
    create function ${name}() returns trigger language plpgsql as $$ begin raise 'refused by a test'; end $$`);
  await change(sql.unsafe`
    create trigger ${name} before ${event === 'insert' ? sql.fragment`insert` : sql.fragment`update`}
    on ${sql.identifier([table])} for each row when (${when}) execute function ${name}()`);
  try {
    await seen();
  } finally {
    await change(sql.unsafe`drop function ${name}() cascade`);
  }
}

async function chargeAfterTheEnd(): Promise<void> {
  await railRefuses('refund');
  const session = await newSession();
  await payAsBuyer({ hostedUrl: session.hostedUrl, card: CHARGED_AFTER_CANCEL, timeoutSeconds: 2 });
  await fetch(`${session.hostedUrl}/cancel`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ requestId: randomUUID(), what: 'session' }),
  });
  const paymentId = await paymentOf(session);
  await eventually(async () => {
    const { rowCount } = await change(sql.unsafe`
      update orphaned_charges set found_at = found_at - interval '2 hours' where payment_id = ${paymentId}`);
    expect(rowCount).toBe(1);
  }, SWEPT_MS);
  await fires('CheckoutOrphanedCharge');
  await railHeals();
  await ops('ask', paymentId);
  await clears('CheckoutOrphanedCharge');
}

async function muchMoneyInDoubt(): Promise<void> {
  const { productId } = await insertProduct(pool, {
    merchantId: stack.merchant.id,
    price: { amount: 120_000 },
  });
  await railRefuses('lookup');
  const session = await stack.createCheckout(productId);
  await payAsBuyer({ hostedUrl: session.hostedUrl, card: LOST_ANSWER, timeoutSeconds: 2 });
  await fires('CheckoutReconciliationRequired', 'CheckoutMoneyAtStake');
  await railHeals();
  await ops('ask', session.id);
  await clears('CheckoutReconciliationRequired', 'CheckoutMoneyAtStake');
}

async function dispute(): Promise<void> {
  const session = await newSession();
  await payAsBuyer({ hostedUrl: session.hostedUrl, card: DISPUTED });
  await fires('CheckoutDisputeOpen');
  const reference = await paymentOf(session);
  await atRail('disputes/decision', { account: 'acct_merchant', reference, status: 'won' });
  await clears('CheckoutDisputeOpen');
}

async function outcomeThatIsRefused(): Promise<void> {
  const session = await newSession();
  const when = sql.fragment`new.checkout_id = ${sql.literalValue(session.id)} and new.status = 'succeeded'`;
  await refusing('payments', 'update', when, async () => {
    await payAsBuyer({ hostedUrl: session.hostedUrl, timeoutSeconds: 2 });
    await fires('CheckoutOutcomeNotRecorded');
  });
  await clears('CheckoutOutcomeNotRecorded');
}

async function invoiceThatIsRefused(): Promise<void> {
  const session = await newSession();
  const customerId = await readId(
    sql.fragment`select customer_id as id from checkouts where id = ${session.id}`,
  );
  const when = sql.fragment`new.customer_id = ${sql.literalValue(customerId)}`;
  await refusing('invoices', 'insert', when, async () => {
    await payAsBuyer({ hostedUrl: session.hostedUrl });
    await fires('CheckoutInvoiceNotIssued');
  });
  await clears('CheckoutInvoiceNotIssued');
}

async function refusedAttempts(): Promise<void> {
  const accountId = await accountOf('Second Merchant');
  await ops('pause-rail', accountId, '--reason', 'a test');
  await fires('CheckoutRailPaused');
  // The demo merchant sells at the same rail.
  await change(sql.unsafe`
    update rail_breakers set state = 'open', retry_at = service_clock() + interval '1 hour', paused_by = null
    where rail_account_id = ${accountId}`);
  await fires('CheckoutRailAccountUnavailable');
  await change(sql.unsafe`
    insert into rail_breakers (scope, rail, environment, state, retry_at, reason)
    select 'rail:another:sandbox', 'another', 'sandbox', 'open', service_clock() + interval '1 hour', 'server_error'`);
  await fires('CheckoutRailUnavailable');
  await change(sql.unsafe`delete from rail_breakers where rail = 'another'`);
  await ops('resume-rail', accountId, '--reason', 'a test');
  await clears('CheckoutRailPaused', 'CheckoutRailAccountUnavailable', 'CheckoutRailUnavailable');
}

async function merchantWithoutSales(): Promise<void> {
  const { id: like } = await newSession();
  const merchantId = await readId(sql.fragment`select id from merchants where name = 'Second Merchant'`);
  await insertSessions(pool, { like, merchantId, ago: '50 minutes', count: 60, arePaid: true });
  await insertSessions(pool, { like, merchantId, ago: '40 minutes', count: 30, arePaid: false });
  await fires('CheckoutMerchantSellsNothing');
  await change(sql.unsafe`
    update checkouts set finished_at = service_clock() where merchant_id = ${merchantId} and state = 'succeeded'`);
  await clears('CheckoutMerchantSellsNothing');
}

async function refusedAccount(): Promise<void> {
  const accountId = await accountOf('One-off Sales Only');
  await disableRefusedAccount(pool, accountId);
  await fires('CheckoutRailAccountDisabled');
  await change(sql.unsafe`update rail_accounts set status = 'active' where id = ${accountId}`);
  await clears('CheckoutRailAccountDisabled');
}

async function paymentThatTheRailDenies(): Promise<void> {
  const session = await newSession();
  await payAsBuyer({ hostedUrl: session.hostedUrl });
  const paymentId = await paymentOf(session);
  await inTransaction(pool, (tx) => recordContradiction(tx, paymentId));
  await fires('CheckoutPersonNeeded');
  await ops('incident', 'close', 'payment_not_at_rail', paymentId, '--reason', 'a test');
  await clears('CheckoutPersonNeeded');
}

async function chargeThatARestoreLost(): Promise<void> {
  await change(sql.unsafe`
    insert into restore_findings (epoch, rail_account_id, kind, reference, merchant_id, environment, outcome, amount,
      currency, at, state)
    select 1, id, 'charge', 'ap_pay_lost', merchant_id, environment, 'approved', 500, 'EUR', service_clock(), 'person'
    from rail_accounts where id = ${stack.merchant.railAccountId}`);
  await fires('CheckoutNotInDatabase');
  await ops('restored', 'settle', 'ap_pay_lost', '--evidence', 'a test');
  await clears('CheckoutNotInDatabase');
}

async function testedCards(): Promise<void> {
  await change(sql.unsafe`
    insert into card_declines (merchant_id, environment, passed, passing_since)
    values (${stack.merchant.id}, 'sandbox', 'address', service_clock())`);
  await fires('CheckoutCardTesting');
  await change(sql.unsafe`update card_declines set at = at - interval '11 minutes'`);
  await clears('CheckoutCardTesting');
}

async function failingReceiver(): Promise<void> {
  const receiver = await startReceiver();
  try {
    receiver.answer = status(500);
    const scope = { merchantId: stack.merchant.id, environment: 'sandbox' } as const;
    const sealWith = new SecretBox(stack.secretsKey);
    const { id } = await createEndpoint(pool, scope, { url: receiver.url, sealWith });
    await payAsBuyer(await newSession());
    await eventually(async () => {
      const { rowCount } = await change(sql.unsafe`
        update webhook_endpoints set failing_since = failing_since - interval '20 minutes'
        where id = ${id} and failing_since is not null`);
      expect(rowCount).toBe(1);
    }, SWEPT_MS);
    await fires('CheckoutEndpointFailing');
    receiver.answer = status(200);
    await payAsBuyer(await newSession());
    await clears('CheckoutEndpointFailing');
  } finally {
    await receiver.stop();
  }
}

test(
  'each kind of incident triggers its alert, which clears with the incident',
  async () => {
    await Promise.all([
      chargeAfterTheEnd().then(muchMoneyInDoubt),
      dispute(),
      outcomeThatIsRefused(),
      invoiceThatIsRefused(),
      refusedAttempts(),
      merchantWithoutSales(),
      refusedAccount(),
      paymentThatTheRailDenies(),
      chargeThatARestoreLost(),
      testedCards(),
      failingReceiver(),
    ]);
  },
  TEST_MS,
);

test(
  'a stopped sweep triggers CheckoutSweepLate, CheckoutOverdue and CheckoutRenewalsLate',
  async () => {
    const session = await newSession();
    const subscription = await buySubscription(stack);
    const moveDates = async (by: ReturnType<typeof sql.fragment>) => {
      for (const [table, { id }] of Object.entries({ checkouts: session, subscriptions: subscription }))
        await change(sql.unsafe`
        update ${sql.identifier([table])} set next_action_at = next_action_at ${by} where id = ${id}`);
    };
    const temporal = openTemporal(stack.temporal);
    const sweep = temporal.schedule.getHandle(SWEEP_SCHEDULE_ID);
    try {
      await sweep.pause();
      await eventually(
        async () => expect((await sweep.describe()).info.runningActions).toEqual([]),
        SWEPT_MS,
      );
      await change(sql.unsafe`update heartbeats set at = at - interval '6 minutes' where name = 'sweep'`);
      await moveDates(sql.fragment`- interval '1 year'`);
      await fires('CheckoutSweepLate', 'CheckoutOverdue', 'CheckoutRenewalsLate');
      await moveDates(sql.fragment`+ interval '1 year'`);
      await sweep.unpause();
      await sweep.trigger();
      await clears('CheckoutSweepLate', 'CheckoutOverdue', 'CheckoutRenewalsLate');
    } finally {
      await temporal.connection.close();
    }
  },
  TEST_MS,
);

test(
  'a restored database that cannot be compared triggers CheckoutDatabaseFenced',
  async () => {
    await railRefuses('listSince');
    await ops('restored', '--yes', '--no-wait');
    await fires('CheckoutDatabaseFenced');
    await railHeals();
    await clears('CheckoutDatabaseFenced');
  },
  TEST_MS,
);

test(
  'with an incident of every kind, every panel of the dashboards has data, and the panels by kind show each kind',
  async () => {
    // Load that causes no incident: a declined card, a renewal, and a request that gets an error.
    const declined = await newSession();
    await payAsBuyer({ hostedUrl: declined.hostedUrl, card: DECLINED, timeoutSeconds: 10 });
    const { id } = await buySubscription(stack);
    const { current_period_end: renewsAt } = await subscriptionOf(stack, id);
    await advanceTo(stack, id, renewsAt);
    expect((await fetch(`${stack.apiUrl}/v1/subscriptions`)).status).toBe(401);
    // The tests above have produced the others.
    const { make } = await incidentsToMake(pool);
    for (const kind of RARE_KINDS) await make[kind]();
    const panels = dashboards().flatMap((each) => each.panels.filter(({ targets }) => targets));
    // Kinds without an environment count as production's.
    const seen = async (kindOfQuery: RegExp) => {
      const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
      const [expr = ''] = queries.filter((each) => kindOfQuery.test(each));
      const both = expr.replace('"$environment"', '~"sandbox|production"');
      return (await prometheus.series(both)).map(({ kind }) => kind).toSorted();
    };
    const kinds = RECORDED_KINDS.toSorted();
    await eventually(
      async () => {
        const empty = await Promise.all(
          panels.map(async ({ title, targets = [] }) => {
            const series = await Promise.all(targets.map(({ expr }) => prometheus.series(expr)));
            return series.flat().length > 0 ? [] : [title];
          }),
        );
        expect(empty.flat()).toEqual([]);
        expect(await seen(/by \(kind\).*checkout_incident_open/)).toEqual(kinds);
        expect(await seen(/by \(kind\).*checkout_incident_oldest_age/)).toEqual(kinds);
      },
      SHOWN_WITHIN_MS,
      1_000,
    );
  },
  TEST_MS,
);

test(
  'the panel of open incidents shows environments without workers, and a Temporal that does not answer',
  async () => {
    const [panel] = dashboards().flatMap((each) =>
      each.panels.filter(({ title }) => title === 'Open incidents by kind'),
    );
    const shows = (kind: string) => {
      const { expr = '' } = panel?.targets?.find(({ legendFormat }) => legendFormat === kind) ?? {};
      return eventually(
        async () => expect(await prometheus.series(expr)).toHaveLength(1),
        TEST_MS / 4,
        1_000,
      );
    };
    stack.part('worker').pause();
    await shows('workers_missing');
    stack.part('worker').resume();
    await stack.restart('api', { TEMPORAL_ADDRESS: '127.0.0.1:1' });
    await shows('temporal_unavailable');
    await stack.restart('api');
  },
  TEST_MS,
);

test(
  'the page of these dashboards draws each panel with axes in its unit, and names the environment of an empty panel',
  async () => {
    const port = await freePort();
    const observe = await startObserve({ port, prometheusUrl: prometheus.url });
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const drawn = () =>
        page.locator('section').evaluateAll((sections) =>
          sections.map((section) => ({
            title: section.querySelector('h3')?.textContent,
            nothing: section.querySelector('.none')?.textContent ?? null,
            axes: [...section.querySelectorAll('.chart small')].map((each) => each.textContent),
          })),
        );
      for (const { uid, panels } of dashboards()) {
        await page.goto(`http://127.0.0.1:${port}/#${uid.replace('checkout-', '')}`);
        await page.reload();
        await page.selectOption('#range', '3600');
        const time = expect.stringMatching(/^\d\d:\d\d UTC$/);
        const expected = panels
          .filter(({ targets }) => targets)
          .map(({ title, type, fieldConfig }) => {
            const top = expect.stringMatching(UNIT_OF_AXIS[fieldConfig?.defaults.unit ?? ''] ?? /^no unit$/);
            return { title, nothing: null, axes: type === 'timeseries' ? [top, '0', time, time] : [] };
          });
        await eventually(async () => expect(await drawn()).toEqual(expected), SHOWN_WITHIN_MS, 1_000);
        if (uid !== 'checkout-business') continue;
        await page.selectOption('#environment', 'production');
        await eventually(async () => {
          const empty = (await drawn()).flatMap(({ nothing }) => nothing ?? []);
          expect(empty.length).toBeGreaterThan(5);
          expect(new Set(empty)).toEqual(new Set(['production: nothing in this range']));
        }, SHOWN_WITHIN_MS);
      }
    } finally {
      await browser.close();
      await observe.close();
    }
  },
  TEST_MS,
);
