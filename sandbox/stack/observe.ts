/**
 * The additions of `npm start -- --observe`: Prometheus, if it is installed, and the page that shows its
 * numbers and the traces.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_DIR } from './core/directories.ts';
import type { Ports } from './core/ports.ts';
import type { Addresses } from './parts.ts';
import type { PartSpec, StartProgram } from './process/part.ts';
import { hasTool } from './process/tool.ts';
import type { Replica, Replicas } from './replicas.ts';

const RULES = join(PROJECT_DIR, 'deploy/observability/alerts.yaml');

export interface ObserveOptions {
  readonly ports: Ports;
  readonly addresses: Addresses;
  readonly replicas: Replicas;
  readonly dir: string;
  readonly startProgram: StartProgram;
}

/** @returns the page's process */
export async function prepareObserve(options: ObserveOptions): Promise<PartSpec> {
  const { ports } = options;
  const hasPrometheus = await hasTool('prometheus', '--version');
  if (hasPrometheus) startPrometheus(options);
  return {
    name: 'observe',
    command: process.execPath,
    args: [join(PROJECT_DIR, 'sandbox/observe/main.ts')],
    cwd: PROJECT_DIR,
    env: {
      OBSERVE_PORT: `${ports.observe}`,
      OBSERVE_PROMETHEUS_URL: hasPrometheus ? `http://127.0.0.1:${ports.prometheus}` : undefined,
    },
  };
}

function startPrometheus({ ports, addresses, replicas, dir, startProgram }: ObserveOptions): void {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, 'prometheus.json');
  const rules = join(dir, 'alerts.yaml');
  // The demo sells in the sandbox only: under production's rules, no alert about money would ever fire here.
  writeFileSync(
    rules,
    readFileSync(RULES, 'utf8').replaceAll('environment="production"', 'environment="sandbox"'),
  );
  writeFileSync(file, JSON.stringify(configuration(addresses, replicas, rules)));
  startProgram({
    name: 'prometheus',
    command: 'prometheus',
    args: [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(dir, 'data')}`,
      '--storage.tsdb.retention.time=7d',
      `--web.listen-address=127.0.0.1:${ports.prometheus}`,
      '--log.level=warn',
    ],
  });
}

/** Prometheus's configuration, written as JSON, which is valid YAML. The alert rules expect these names of jobs. */
function configuration(
  { observeUrl, temporalUiUrl = '' }: Addresses,
  { apis, workers }: Replicas,
  rules: string,
): object {
  const job = (name: string, processes: readonly Replica[]) => ({
    job_name: name,
    static_configs: [{ targets: processes.map(({ metricsPort }) => `127.0.0.1:${metricsPort}`) }],
  });
  return {
    global: {
      scrape_interval: '5s',
      evaluation_interval: '5s',
      external_labels: {
        runbooks: `${observeUrl}/docs`,
        temporal_ui: temporalUiUrl,
        temporal_namespace: 'default',
      },
    },
    rule_files: [rules],
    scrape_configs: [job('checkout-api', apis), job('checkout-worker', workers)],
  };
}
