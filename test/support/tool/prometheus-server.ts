/** Prometheus itself, as Debian packages it, with rules made from those of deploy/observability. @needs promtool */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { untilHealthy } from '../../../sandbox/stack/process/health.ts';
import { startForeignPart } from '../../../sandbox/stack/process/part.ts';

const RULES = join(PROJECT_DIR, 'deploy/observability/alerts.yaml');
const READY_WITHIN_MS = 120_000;

export interface PrometheusServer {
  readonly url: string;
  /** Names of the alerts that fire, each as often as it does. */
  firing(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export interface PrometheusOptions {
  /** Host and port of each process's metrics. */
  readonly targets: { readonly api: readonly string[]; readonly worker: readonly string[] };
  readonly times: {
    readonly scrape_interval: string;
    readonly scrape_timeout?: string;
    readonly evaluation_interval: string;
  };
  readonly changeRules: (rules: string) => string;
}

export async function startPrometheusServer(options: PrometheusOptions): Promise<PrometheusServer> {
  const { targets, times, changeRules } = options;
  const dir = await mkdtemp(join(tmpdir(), 'checkout-prometheus-'));
  const port = await freePort();
  await writeFile(join(dir, 'alerts.yaml'), changeRules(await readFile(RULES, 'utf8')));
  // JSON is valid YAML.
  const configuration = {
    global: times,
    rule_files: ['alerts.yaml'],
    scrape_configs: Object.entries(targets).map(([name, hosts]) => ({
      job_name: `checkout-${name}`,
      static_configs: [{ targets: hosts }],
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
  const url = `http://127.0.0.1:${port}`;
  await untilHealthy(server, `${url}/-/ready`, READY_WITHIN_MS);
  return {
    url,
    async firing() {
      const { data } = await (await fetch(`${url}/api/v1/alerts`)).json();
      const { alerts } = data as {
        alerts: readonly { state: string; labels: { alertname: string } }[];
      };
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
    },
    async stop() {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
