/**
 * Which alerts inhibit which, and where the others are routed, by Alertmanager itself.
 * @reads deploy/observability
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { ALERTMANAGER_FILE, type Alertmanager, startAlertmanager } from '../../support/tool/alertmanager.ts';
import { alertRules, OBSERVABILITY_DIR } from '../../support/tool/observability-files.ts';

let alertmanager: Alertmanager;
beforeAll(async () => {
  alertmanager = await startAlertmanager();
});
afterAll(() => alertmanager?.stop());

const severityOf = new Map(alertRules().map(({ alert, labels }) => [alert, labels.severity]));
const alert = (alertname: string, labels: Readonly<Record<string, string>> = {}) => ({
  alertname,
  severity: severityOf.get(alertname) ?? 'unknown',
  ...labels,
});

/** Alerts about anything that costs a buyer or a merchant money, or is lost until a person looks at it. */
const ABOUT_MONEY = [
  'CheckoutReconciliationRequired',
  'CheckoutMoneyAtStake',
  'CheckoutOrphanedCharge',
  'CheckoutOutcomeNotRecorded',
  'CheckoutInvoiceNotIssued',
  'CheckoutDisputeOpen',
  'CheckoutRailAccountDisabled',
  'CheckoutRailAccountUnavailable',
  'CheckoutDatabaseFenced',
  'CheckoutNotInDatabase',
  'CheckoutPersonNeeded',
];
/** Adds the labels required by an inhibition rule. */
const EVERY_CAUSE = [
  ...[...severityOf.keys()].map((name) => alert(name)),
  ...['checkout-api', 'checkout-worker'].flatMap((job) => [
    alert('CheckoutTargetDown', { job }),
    alert('CheckoutPoolExhausted', { job }),
    alert('CheckoutEventLoopBlocked', { job }),
  ]),
  ...['checkout', 'billing', 'webhooks'].map((task_queue) => alert('CheckoutWorkersBehind', { task_queue })),
  ...['checkout', 'subscription', 'refund', 'deliverEvents'].map((workflow_type) =>
    alert('CheckoutWorkflowTaskFailing', { workflow_type }),
  ),
];

test('the configuration names existing rules, and a paging alert is inhibited only by paging alerts', async () => {
  const { stdout } = await promisify(execFile)('amtool', ['check-config', ALERTMANAGER_FILE]);
  expect(stdout).toContain('SUCCESS');
  const { inhibit_rules: rules } = parse(readFileSync(ALERTMANAGER_FILE, 'utf8')) as {
    inhibit_rules: readonly { source_matchers: readonly string[]; target_matchers: readonly string[] }[];
  };
  const namesIn = (matchers: readonly string[]) => matchers.join().match(/Checkout\w+/g) ?? [];
  for (const { source_matchers: sources, target_matchers: targets } of rules) {
    expect([...severityOf.keys()]).toEqual(
      expect.arrayContaining([...namesIn(sources), ...namesIn(targets)]),
    );
    // A ticket does not wake anyone, so it must not inhibit a page.
    const pages = namesIn(targets).filter((name) => severityOf.get(name) === 'page');
    if (pages.length > 0)
      for (const name of namesIn(sources)) expect([name, severityOf.get(name)]).toEqual([name, 'page']);
  }
});

test('an alert about money is never inhibited, whatever else fires', async () => {
  expect([...severityOf.keys()]).toEqual(expect.arrayContaining(ABOUT_MONEY));
  const held = await alertmanager.heldBack(...EVERY_CAUSE);
  expect(held).toContain('CheckoutNoSales');
  expect(held.filter((name) => ABOUT_MONEY.includes(name))).toEqual([]);
});

describe('alerts inhibited by their cause', () => {
  test.each([
    [
      'no worker runs',
      [
        alert('CheckoutWorkersGone'),
        alert('CheckoutTargetDown', { job: 'checkout-worker', instance: 'worker:9465' }),
        alert('CheckoutTargetDown', { job: 'checkout-api', instance: 'api:9464' }),
        alert('CheckoutFiguresMissing'),
        alert('CheckoutNoSales'),
        alert('CheckoutServerErrors'),
        alert('CheckoutSlow', { http_route: '/v1/checkouts' }),
        alert('CheckoutWorkersBehind', { task_queue: 'checkout' }),
        alert('CheckoutWorkersMissing'),
      ],
      [
        'CheckoutFiguresMissing',
        'CheckoutNoSales',
        'CheckoutServerErrors',
        'CheckoutSlow',
        'CheckoutTargetDown',
        'CheckoutWorkersBehind',
        'CheckoutWorkersMissing',
      ],
    ],
    [
      'no API runs',
      [
        alert('CheckoutApiGone'),
        alert('CheckoutTargetDown', { job: 'checkout-api', instance: 'api:9464' }),
        alert('CheckoutTargetDown', { job: 'checkout-worker', instance: 'worker:9465' }),
      ],
      ['CheckoutTargetDown'],
    ],
    [
      'one worker of several is down',
      [
        alert('CheckoutTargetDown', { job: 'checkout-worker', instance: 'worker-2:9465' }),
        alert('CheckoutNoSales'),
        alert('CheckoutServerErrors'),
      ],
      [],
    ],
    [
      'workers run, but PostgreSQL is down',
      [
        alert('CheckoutDatabaseDown'),
        alert('CheckoutFiguresMissing'),
        alert('CheckoutServerErrors'),
        alert('CheckoutPoolExhausted'),
        alert('CheckoutSweepLate'),
        alert('CheckoutWebhooksLate'),
        alert('CheckoutWorkersMissing'),
        alert('CheckoutWorkersBehind', { task_queue: 'webhooks' }),
      ],
      [
        'CheckoutFiguresMissing',
        'CheckoutPoolExhausted',
        'CheckoutServerErrors',
        'CheckoutSweepLate',
        'CheckoutWebhooksLate',
        'CheckoutWorkersBehind',
        'CheckoutWorkersMissing',
      ],
    ],
    [
      'no worker takes clicks: other queues may have another cause',
      [
        alert('CheckoutWorkersMissing', { task_queue: 'checkout' }),
        alert('CheckoutNoSales'),
        alert('CheckoutServerErrors'),
        alert('CheckoutWorkersBehind', { task_queue: 'checkout' }),
        alert('CheckoutWorkerSlotsExhausted', { task_queue: 'billing' }),
      ],
      ['CheckoutNoSales', 'CheckoutServerErrors', 'CheckoutWorkersBehind'],
    ],
    [
      'no worker takes tasks of billing: sales and webhooks have another cause',
      [
        alert('CheckoutWorkersMissing', { task_queue: 'billing' }),
        alert('CheckoutNoSales'),
        alert('CheckoutServerErrors'),
        alert('CheckoutWebhooksLate'),
        alert('CheckoutRenewalsLate'),
        alert('CheckoutSweepLate'),
        alert('CheckoutWorkersBehind', { task_queue: 'billing' }),
        alert('CheckoutWorkerSlotsExhausted', { task_queue: 'checkout' }),
      ],
      ['CheckoutRenewalsLate', 'CheckoutSweepLate', 'CheckoutWorkersBehind'],
    ],
    [
      'Temporal is down',
      [
        alert('CheckoutTemporalUnavailable'),
        alert('CheckoutNoSales'),
        alert('CheckoutServerErrors'),
        alert('CheckoutSweepLate'),
        alert('CheckoutWorkersMissing', { task_queue: 'checkout' }),
      ],
      ['CheckoutNoSales', 'CheckoutServerErrors', 'CheckoutSweepLate', 'CheckoutWorkersMissing'],
    ],
    [
      'a rail does not answer: other failures may have another cause',
      [
        alert('CheckoutRailUnavailable'),
        alert('CheckoutRailFailing', { rail: 'stripe' }),
        alert('CheckoutRailSlow', { rail: 'stripe' }),
        alert('CheckoutNoSales'),
        alert('CheckoutServerErrors'),
      ],
      ['CheckoutRailFailing', 'CheckoutRailSlow'],
    ],
    [
      'the database is fenced',
      [alert('CheckoutDatabaseFenced'), alert('CheckoutServerErrors'), alert('CheckoutWebhooksLate')],
      ['CheckoutServerErrors', 'CheckoutWebhooksLate'],
    ],
    [
      'a table is locked: a ticket inhibits no page',
      [
        alert('CheckoutPoolExhausted', { job: 'checkout-api' }),
        alert('CheckoutServerErrors'),
        alert('CheckoutSlow', { http_route: '/v1/checkouts' }),
      ],
      ['CheckoutSlow'],
    ],
    [
      'subscriptions cannot be replayed: overdue sessions have another cause',
      [
        alert('CheckoutWorkflowTaskFailing', { workflow_type: 'subscription' }),
        alert('CheckoutRenewalsLate'),
        alert('CheckoutOverdue'),
      ],
      ['CheckoutRenewalsLate'],
    ],
  ])('%s', async (_cause, firing, held) => {
    expect(await alertmanager.heldBack(...firing)).toEqual(held);
  });
});

test('pages are routed to the pager, tickets to the ticket queue', async () => {
  const routed = async (severity: string) => {
    const args = ['config', 'routes', 'test', `--config.file=${ALERTMANAGER_FILE}`, `severity=${severity}`];
    return (await promisify(execFile)('amtool', args)).stdout.trim();
  };
  expect([await routed('page'), await routed('ticket')]).toEqual(['pager', 'tickets']);
  const { route } = parse(readFileSync(ALERTMANAGER_FILE, 'utf8')) as {
    route: { routes: readonly { receiver: string; group_by?: readonly string[] }[] };
  };
  // A group that has sent a page holds back its next alert for the group's interval.
  expect(route.routes).toMatchObject([{ receiver: 'pager', group_by: ['alertname', 'task_queue', 'kind'] }]);
});

test.each(['CheckoutDatabaseDown', 'CheckoutTemporalUnavailable'])(
  '%s pages once, about a minute after the outage begins',
  (name) => {
    const seconds = (duration: string) => Number.parseInt(duration, 10) * (duration.endsWith('m') ? 60 : 1);
    const rule = alertRules().find(({ alert: each }) => each === name);
    const { global } = parse(readFileSync(join(OBSERVABILITY_DIR, 'prometheus.yaml'), 'utf8'));
    const { route } = parse(readFileSync(ALERTMANAGER_FILE, 'utf8'));
    const waits = [
      global.scrape_interval,
      global.evaluation_interval,
      rule?.for,
      route.routes[0].group_wait ?? route.group_wait,
    ];
    expect(waits.reduce((sum, each) => sum + seconds(each), 0)).toBeLessThanOrEqual(75);
    // With a label for each job, a second alert would join the group later, and be sent as another page.
    expect(rule?.expr).not.toMatch(/\bby\b/);
  },
);
