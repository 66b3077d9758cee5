/** Prometheus with the rules of deploy/observability, whose waiting times are shortened. */
import { expect } from '@jest/globals';
import { eventually } from '../core/eventually.ts';
import { startPrometheusServer } from './prometheus-server.ts';

/**
 * Shortens the `for` and the ranges of a rule, so that tests do not wait for minutes. Of the thresholds,
 * only those in minutes or hours change; shares, counts and latencies are as in production. The environment changes
 * because the demo sells in the sandbox.
 */
const SHORTER: readonly (readonly [RegExp, string])[] = [
  [/for: \d+[ms]/g, 'for: 1s'],
  [/(incident_oldest_age_seconds\{[^}]*}\)) > \d+/g, '$1 > 1'],
  [/\[30m]/g, '[40s]'],
  // The tasks that waited for a hanging worker are taken all at once.
  [/\[31m:30s]\) >= 61/g, '[15s:1s]) >= 1'],
  [/\[\d+m:\d+s]\) >= \d+/g, '[15s:1s]) >= 11'],
  // Two scrapes suffice for these rules. Slots that are all taken and freed at once look free in both rounds.
  [/\[2m]/g, '[9s]'],
  [/\[\d+m]/g, '[20s]'],
  [/> 21600/g, '> 15'],
  [/overdue_age_seconds\) > 420/g, 'overdue_age_seconds) > 5'],
  [/environment="production"/g, 'environment="sandbox"'],
];

/** The slowest alerts wait for a sweep, which runs each minute. */
const ALERT_WITHIN_MS = 270_000;
/** Up to twelve alerts are awaited at a time. Rules are evaluated each second. */
const BETWEEN_LOOKS_MS = 250;

export interface Prometheus {
  /** Waits until all of these alerts fire. */
  fires(...names: readonly string[]): Promise<void>;
  /** Waits until none of them does. */
  clears(...names: readonly string[]): Promise<void>;
  readonly url: string;
  /** The labels of each series that a query of a dashboard had within the last hour. */
  series(expr: string): Promise<readonly Readonly<Record<string, string>>[]>;
  stop(): Promise<void>;
}

export async function startPrometheus(metrics: {
  readonly api: string;
  readonly worker: string;
}): Promise<Prometheus> {
  const { url, firing, stop } = await startPrometheusServer({
    targets: { api: [new URL(metrics.api).host], worker: [new URL(metrics.worker).host] },
    // In each scrape, a process waits up to three seconds for PostgreSQL and Temporal.
    times: { scrape_interval: '4s', scrape_timeout: '4s', evaluation_interval: '1s' },
    changeRules: (rules) => SHORTER.reduce((text, [long, short]) => text.replaceAll(long, short), rules),
  });
  /** Logs how long it took. */
  async function until(what: string, check: (firing: readonly string[]) => void): Promise<void> {
    const start = performance.now();
    await eventually(async () => check(await firing()), ALERT_WITHIN_MS, BETWEEN_LOOKS_MS);
    process.stderr.write(`alerts: ${what} after ${Math.round((performance.now() - start) / 1_000)} s\n`);
  }
  return {
    url,
    fires: (...names) =>
      until(`${names.join(', ')} fires`, (all) => expect(all).toEqual(expect.arrayContaining([...names]))),
    clears: (...names) =>
      until(`${names.join(', ')} clears`, (all) =>
        expect(all.filter((each) => names.includes(each))).toEqual([]),
      ),
    async series(expr) {
      const end = Date.now() / 1_000;
      const query = expr.replaceAll('$environment', 'sandbox').replaceAll('$__range', '3600s');
      const search = new URLSearchParams({ query, start: `${end - 3_600}`, end: `${end}`, step: '5' });
      const { data } = await (await fetch(`${url}/api/v1/query_range?${search}`)).json();
      const { result } = data;
      return result.map(({ metric }: { metric: Record<string, string> }) => metric);
    },
    stop,
  };
}
