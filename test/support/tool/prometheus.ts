/** Prometheus itself with the rules of deploy/observability, whose waiting times are shortened. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { untilHealthy } from '../../../sandbox/stack/process/health.ts';
import { startForeignPart } from '../../../sandbox/stack/process/part.ts';
import { eventually } from '../core/eventually.ts';
import { OBSERVABILITY_DIR } from './observability-files.ts';

/**
 * Shortens the `for` and the ranges of a rule, so that tests do not wait for minutes. Of the thresholds,
 * only those in minutes or hours change; shares, counts and latencies are as in production. The environment changes
 * because the demo sells in the sandbox.
 */
const SHORTER: readonly (readonly [RegExp, string])[] = [
  [/for: \d+[ms]/g, 'for: 1s'],
  [/(incident_oldest_age_seconds\{[^}]*}\)) > \d+/g, '$1 > 1'],
  [/\[30m]/g, '[40s]'],
  // Two scrapes suffice for these rules. Slots that are all taken and freed at once look free in both rounds.
  [/\[2m]/g, '[9s]'],
  [/\[\d+m]/g, '[20s]'],
  [/> 21600/g, '> 15'],
  [/overdue_age_seconds\) > 420/g, 'overdue_age_seconds) > 5'],
  [/environment="production"/g, 'environment="sandbox"'],
];

const READY_WITHIN_MS = 30_000;
/** The slowest alerts wait for a sweep, which runs each minute. */
const ALERT_WITHIN_MS = 180_000;
/** Up to twelve alerts are awaited at a time. Rules are evaluated each second. */
const BETWEEN_LOOKS_MS = 250;

export interface Prometheus {
  /** Waits until all of these alerts fire. */
  fires(...names: readonly string[]): Promise<void>;
  /** Waits until none of them does. */
  clears(...names: readonly string[]): Promise<void>;
  /** How many series a query of a dashboard had within the last quarter of an hour. */
  series(expr: string): Promise<number>;
  stop(): Promise<void>;
}

export async function startPrometheus(metrics: {
  readonly api: string;
  readonly worker: string;
}): Promise<Prometheus> {
  const dir = await mkdtemp(join(tmpdir(), 'checkout-prometheus-'));
  const port = await freePort();
  const rules = await readFile(join(OBSERVABILITY_DIR, 'alerts.yaml'), 'utf8');
  await writeFile(
    join(dir, 'alerts.yaml'),
    SHORTER.reduce((text, [long, short]) => text.replaceAll(long, short), rules),
  );
  // JSON is valid YAML.
  const configuration = {
    // In each scrape, a process waits up to three seconds for PostgreSQL and Temporal.
    global: { scrape_interval: '4s', scrape_timeout: '4s', evaluation_interval: '1s' },
    rule_files: ['alerts.yaml'],
    scrape_configs: Object.entries(metrics).map(([name, url]) => ({
      job_name: `checkout-${name}`,
      static_configs: [{ targets: [new URL(url).host] }],
    })),
  };
  await writeFile(join(dir, 'prometheus.yaml'), JSON.stringify(configuration));
  const server = startForeignPart({
    name: 'prometheus',
    command: 'prometheus',
    args: [
      `--config.file=${join(dir, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(dir, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
  });
  await untilHealthy(server, `http://127.0.0.1:${port}/-/ready`, READY_WITHIN_MS);
  const ask = async (path: string) =>
    (await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()).data;
  async function firing(): Promise<readonly string[]> {
    const { alerts } = (await ask('alerts')) as {
      alerts: readonly { state: string; labels: { alertname: string } }[];
    };
    return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
  }
  /** Logs how long it took. */
  async function until(what: string, check: (firing: readonly string[]) => void): Promise<void> {
    const start = performance.now();
    await eventually(async () => check(await firing()), ALERT_WITHIN_MS, BETWEEN_LOOKS_MS);
    process.stderr.write(`alerts: ${what} after ${Math.round((performance.now() - start) / 1_000)} s\n`);
  }
  return {
    fires: (...names) =>
      until(`${names.join(', ')} fires`, (all) => expect(all).toEqual(expect.arrayContaining([...names]))),
    clears: (...names) =>
      until(`${names.join(', ')} clears`, (all) =>
        expect(all.filter((each) => names.includes(each))).toEqual([]),
      ),
    async series(expr) {
      const end = Date.now() / 1_000;
      const query = expr.replaceAll('$environment', 'sandbox').replaceAll('$__range', '900s');
      const search = new URLSearchParams({ query, start: `${end - 900}`, end: `${end}`, step: '5' });
      return (await ask(`query_range?${search}`)).result.length;
    },
    async stop() {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
