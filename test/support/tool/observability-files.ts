/** The series that the dashboards and alert rules of deploy/observability name. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';

export const OBSERVABILITY_DIR = join(PROJECT_DIR, 'deploy/observability');

export interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly keep_firing_for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: {
    readonly summary: string;
    readonly runbook_url: string;
    readonly workflows_url?: string;
  };
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly {
    readonly refId: string;
    readonly expr: string;
    readonly legendFormat?: string;
  }[];
  readonly fieldConfig?: {
    readonly defaults: { readonly unit?: string; readonly min?: number; readonly decimals?: number };
  };
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly templating: { readonly list: readonly { readonly name: string }[] };
  readonly panels: readonly Panel[];
}

const read = (name: string) => readFileSync(join(OBSERVABILITY_DIR, name), 'utf8');

export function alertRules(): readonly Rule[] {
  const { groups } = parse(read('alerts.yaml')) as { groups: readonly { rules: readonly Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

export function dashboards(): readonly Dashboard[] {
  return readdirSync(OBSERVABILITY_DIR)
    .filter((name) => name.startsWith('grafana-'))
    .map((name) => JSON.parse(read(name)) as Dashboard);
}

/** The queries by which the Helm chart scales workers; one template serves both kinds of tasks. */
function chartQueries(): readonly { readonly where: string; readonly expr: string }[] {
  const template = readFileSync(join(PROJECT_DIR, 'deploy/chart/templates/autoscaling.yaml'), 'utf8');
  const [, kinds = ''] = /range list (.+?) }}/.exec(template) ?? [];
  const [query = ''] = /^ *histogram_quantile.+$/m.exec(template) ?? [];
  return [...kinds.matchAll(/"(\w+)"/g)].map(([, kind = '']) => ({
    where: 'autoscaling.yaml',
    expr: query.replace('{{ . }}', kind),
  }));
}

export interface NamedSeries {
  /** The rule, the panel or the chart's template. */
  readonly where: string;
  readonly name: string;
  readonly labels: readonly string[];
  /** The required values of a label, spelled out; for a pattern its alternatives, if they are words. */
  readonly values: readonly (readonly [label: string, value: string])[];
}

export function namedSeries(): readonly NamedSeries[] {
  const queries = [
    ...alertRules().map(({ alert, expr }) => ({ where: alert, expr })),
    ...chartQueries(),
    ...dashboards().flatMap(({ title, panels }) =>
      panels.flatMap((panel) =>
        (panel.targets ?? []).map(({ expr }) => ({ where: `${title}: ${panel.title}`, expr })),
      ),
    ),
  ];
  return queries.flatMap(({ where, expr }) => seriesOf(expr).map((series) => ({ where, ...series })));
}

/** Metrics of the service, of Node.js, of the database client and of Temporal begin with one of these words. */
const SERIES = /\b((?:checkout|http|db|nodejs|process|v8js|temporal)_\w+)(?:\{([^}]*)\})?/g;
const GROUPED = /\b(?:by|without)\s*\([^)]*\)/g;

/** A Grafana variable (`$environment`) is not a value. */
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;
const WORDS = /^\w+(?:\|\w+)*$/;

export function seriesOf(expr: string): readonly Omit<NamedSeries, 'where'>[] {
  return [...expr.replace(GROUPED, '').matchAll(SERIES)].map(([, name = '', inBraces = '']) => {
    const matchers = [...inBraces.matchAll(MATCHER)];
    return {
      name,
      labels: matchers.map(([, label = '']) => label),
      values: matchers
        .filter(([, , operator = '', pattern = '']) => !operator.startsWith('!') && WORDS.test(pattern))
        .flatMap(([, label = '', , pattern = '']) =>
          pattern.split('|').map((value) => [label, value] as const),
        ),
    };
  });
}
