/** @reads deploy/observability deploy/chart docs test/full/deploy */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { LINKED_SECTIONS } from '../../activities/core/subject-links.ts';
import { KINDS_OF_INCIDENT, RECORDED_KINDS } from '../../contract/operations/incident-kinds.ts';
import { anchors } from '../docs/documents.ts';
import {
  alertRules,
  dashboards,
  namedSeries,
  OBSERVABILITY_DIR,
  seriesOf,
} from '../support/tool/observability-files.ts';

const UNITS = /^(short|none|s|percentunit|bytes)$/;
const UNIT_OF: Readonly<Record<string, string>> = { seconds: 's', bytes: 'bytes', ratio: 'percentunit' };

/** The kinds of incident named by a rule. */
function kindsOf(expr: string): readonly string[] {
  const values = seriesOf(expr).flatMap((series) => series.values);
  return [...new Set(values.flatMap(([label, value]) => (label === 'kind' ? [value] : [])))];
}

test('every rule links to a section of the runbook, named after its incident kind or itself', () => {
  const sections = anchors('docs/on-call.md');
  for (const { alert, expr, annotations } of alertRules()) {
    const [base, anchor = ''] = annotations.runbook_url?.split('#') ?? [];
    expect(base).toBe('{{ $externalLabels.runbooks }}/on-call.md');
    const kinds = kindsOf(expr);
    if (anchor === '{{ $labels.kind }}') expect(sections).toEqual(expect.arrayContaining([...kinds]));
    else {
      expect(sections).toContain(anchor);
      if (anchor !== alert.toLowerCase() && kinds.length > 0) expect(kinds).toContain(anchor);
    }
  }
});

/** Rules that are additional to a kind's own, or cover several kinds. */
const OTHER_NAMES = [
  'CheckoutMoneyAtStake',
  'CheckoutRenewalsLate',
  'CheckoutPersonNeeded',
  'CheckoutRailAccountUnavailable',
  'CheckoutRailPaused',
];

test('a rule that links to a kind of incident is named after it', () => {
  const kinds: readonly string[] = KINDS_OF_INCIDENT;
  const leading = alertRules().flatMap(({ alert, annotations }) => {
    const [, anchor = ''] = annotations.runbook_url.split('#');
    return kinds.includes(anchor) && !OTHER_NAMES.includes(alert) ? [[alert, anchor]] : [];
  });
  expect(leading.length).toBeGreaterThan(15);
  for (const [alert, kind = ''] of leading)
    expect(alert).toBe(`Checkout${kind.replaceAll(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())}`);
});

test('rules about money and workflows link to the workflows in Temporal UI', () => {
  const linked = alertRules().filter(({ annotations }) => annotations.workflows_url);
  expect(linked.map(({ alert }) => alert)).toEqual(
    expect.arrayContaining([
      'CheckoutReconciliationRequired',
      'CheckoutOrphanedCharge',
      'CheckoutOutcomeNotRecorded',
      'CheckoutOverdue',
      'CheckoutWorkflowTaskFailing',
    ]),
  );
  for (const { annotations } of linked) {
    const url =
      annotations.workflows_url?.replace('{{ $externalLabels.temporal_ui }}', 'https://ui.example') ?? '';
    expect(new URL(url).searchParams.get('query')).toMatch(/^(\w+ = .+)$/);
  }
});

test('every recorded kind of incident has one rule, and no rule names any other kind', () => {
  const ofRules = alertRules().flatMap(({ expr }) => kindsOf(expr));
  // A person's decision raises no alert, and the sweep's age has its own metric.
  const measured = RECORDED_KINDS.filter((kind) => kind !== 'merchant_stopped' && kind !== 'sweep_late');
  // Large sums, late renewals, single accounts and paused rails have separate rules.
  const others = ['reconciliation_required', 'orphaned_charge', 'overdue', 'rail_unavailable'];
  expect(ofRules.toSorted()).toEqual([...measured, ...others, 'rail_unavailable'].toSorted());
});

test('the runbook sections linked from details in Temporal UI exist', () => {
  expect(anchors('docs/on-call.md')).toEqual(expect.arrayContaining([...LINKED_SECTIONS]));
});

/** It fires for a process that is almost out of memory, so only `promtool` tests it. */
const NOT_PROVOKED = ['CheckoutMemoryHigh'];

test('every alert rule except CheckoutMemoryHigh is fired by a test of the running service', () => {
  const tests = ['alerts-live', 'incident-alerts'].map((name) =>
    readFileSync(`test/full/deploy/${name}.test.ts`, 'utf8'),
  );
  const fires = [...tests.join().matchAll(/\bfires\(([^)]*)\)/g)].map(([, names]) => names).join();
  const provoked = new Set([...fires.matchAll(/\bCheckout[A-Z]\w+/g)].map(([name]) => name));
  expect([...provoked, ...NOT_PROVOKED].toSorted()).toEqual(
    alertRules()
      .map(({ alert }) => alert)
      .toSorted(),
  );
});

test('every rule has a severity: page or ticket', () => {
  const severities = new Set(alertRules().map(({ labels }) => labels.severity));
  expect([...severities].sort()).toEqual(['page', 'ticket']);
});

test('every paging rule keeps firing for at least five minutes, so that a flapping cause pages once', () => {
  const pages = alertRules().filter(({ labels }) => labels.severity === 'page');
  expect(pages.length).toBeGreaterThan(20);
  const short = pages.filter(({ keep_firing_for: kept = '0m' }) => Number.parseInt(kept, 10) < 5);
  expect(short.map(({ alert }) => alert)).toEqual([]);
});

interface RuleTest {
  readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly object[] }[];
}

test('in promtool’s tests every rule is quiet, then fires, then is quiet again', () => {
  const file = readFileSync(join(OBSERVABILITY_DIR, 'alerts.test.yaml'), 'utf8');
  const { tests } = parse(file) as { tests: readonly RuleTest[] };
  const checks = tests.flatMap((each) => each.alert_rule_test);
  for (const { alert } of alertRules()) {
    const seen = checks.filter(({ alertname }) => alertname === alert);
    const firing = seen.map(({ exp_alerts: alerts }) => alerts.length > 0);
    expect([alert, firing[0], firing.includes(true), firing.at(-1)]).toEqual([alert, false, true, false]);
  }
});

test('promtool’s tests include, for every rate rule, a cause that ends before the rule fires', () => {
  const file = readFileSync(join(OBSERVABILITY_DIR, 'alerts.test.yaml'), 'utf8');
  const rates = alertRules().filter(({ expr }) => /\b(rate|increase)\(/.test(expr));
  expect(rates.length).toBeGreaterThan(6);
  // A single sale ends CheckoutNoSales.
  for (const { alert } of rates.filter((rule) => rule.alert !== 'CheckoutNoSales'))
    expect(file).toContain(`- name: ${alert} repaired\n`);
});

test('a rule about a state of the database has no long `for`, and keeps firing while its metric is absent', () => {
  const lasting = alertRules().filter(({ expr }) =>
    /\bcheckout_(?!rail_call|session_steps|payment|database_up|temporal_up)/.test(expr),
  );
  expect(lasting.length).toBeGreaterThan(15);
  for (const { alert, expr, for: pending, keep_firing_for: kept } of lasting)
    if (alert !== 'CheckoutFiguresMissing') {
      expect([alert, /^[12]m$/.test(pending ?? '2m'), kept]).toEqual([alert, true, '5m']);
      const firing = `(ALERTS{alertname="${alert}", alertstate="firing"})`;
      const [{ name } = { name: '' }] = seriesOf(expr);
      expect(expr).toContain(
        `\nor max without (alertname, alertstate, severity) ${firing} unless on () ${name}\n`,
      );
    }
  for (const { expr } of alertRules()) expect(expr).not.toContain('offset');
});

test('the panels of a dashboard have distinct ids, do not overlap, and each have a query', () => {
  expect(dashboards().map(({ uid }) => uid)).toEqual(['checkout-business', 'checkout-operations']);
  for (const { panels } of dashboards()) {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const panel of panels) if (panel.type !== 'row') expect(panel.targets?.[0]?.expr).toBeTruthy();
  }
});

test('panels follow the chosen environment, and show money in units of the currency', () => {
  const panels = dashboards().flatMap((each) => each.panels);
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(queries.filter((expr) => /environment="(?!\$)/.test(expr))).toEqual([]);
  const ofMoney = panels.filter(({ targets = [] }) => targets.some(({ expr }) => expr.includes('_amount')));
  expect(ofMoney.length).toBeGreaterThan(2);
  for (const { title, targets = [], fieldConfig } of ofMoney)
    expect([title, fieldConfig?.defaults.decimals, targets[0]?.expr]).toEqual([
      title,
      2,
      expect.stringMatching(/ \/ 100$/),
    ]);
  for (const { templating } of dashboards())
    expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'environment']);
});

test('the row of panels that follow the chosen environment names it, because an empty panel in Grafana explains nothing', () => {
  for (const { panels } of dashboards()) {
    let row = '';
    for (const { type, title, targets = [] } of panels)
      if (type === 'row') row = title;
      else
        expect([title, row.endsWith(', $environment')]).toEqual([
          title,
          targets.some(({ expr }) => expr.includes('$environment')),
        ]);
  }
});

test('every panel has a unit, and its axis begins at 0', () => {
  for (const { title, type, fieldConfig } of dashboards().flatMap(({ panels }) => panels))
    if (type !== 'row') {
      const { unit, min } = fieldConfig?.defaults ?? {};
      expect([title, unit, min]).toEqual([title, expect.stringMatching(UNITS), 0]);
    }
});

test('a panel of seconds, bytes or shares has that unit', () => {
  const panels = dashboards().flatMap((each) => each.panels);
  for (const { title, targets = [], fieldConfig } of panels)
    for (const { expr } of targets) {
      const [, suffix = ''] = /_(seconds|bytes|ratio)(?:_bucket)?\b(?!_)/.exec(expr) ?? [];
      const isRate = /\brate\(/.test(expr) && !expr.startsWith('histogram_quantile');
      if (suffix && !isRate) expect([title, fieldConfig?.defaults.unit]).toEqual([title, UNIT_OF[suffix]]);
    }
});

test('series, labels and values are extracted from queries', () => {
  const names = namedSeries();
  expect(names.length).toBeGreaterThan(80);
  expect(names).toContainEqual({
    where: 'CheckoutOverdue',
    name: 'checkout_incident_oldest_age_seconds',
    labels: ['kind', 'state', 'environment'],
    values: [
      ['kind', 'overdue'],
      ['state', 'session'],
      ['state', 'refund'],
      ['environment', 'production'],
    ],
  });
  const latency = (kind: string) => `temporal_${kind}_schedule_to_start_latency_seconds_bucket`;
  expect(names.filter(({ where }) => where === 'autoscaling.yaml')).toEqual(
    ['workflow_task', 'activity'].map((kind) => ({
      where: 'autoscaling.yaml',
      name: latency(kind),
      labels: ['task_queue'],
      values: [],
    })),
  );
});
