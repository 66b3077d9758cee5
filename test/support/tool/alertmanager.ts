/**
 * Debian's Alertmanager, with the configuration of deploy/observability. Sends nothing: its receivers are empty.
 * @needs alertmanager
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { untilHealthy } from '../../../sandbox/stack/process/health.ts';
import { startForeignPart } from '../../../sandbox/stack/process/part.ts';
import { OBSERVABILITY_DIR } from './observability-files.ts';

const READY_WITHIN_MS = 30_000;
export const ALERTMANAGER_FILE = join(OBSERVABILITY_DIR, 'alertmanager.yaml');

type Labels = Readonly<Record<string, string>>;

export interface Alertmanager {
  /** Fires all of these alerts. @returns the names of those that Alertmanager inhibits */
  heldBack(...firing: readonly Labels[]): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export async function startAlertmanager(): Promise<Alertmanager> {
  const dir = await mkdtemp(join(tmpdir(), 'checkout-alertmanager-'));
  const port = await freePort();
  const server = startForeignPart({
    name: 'alertmanager',
    command: 'prometheus-alertmanager',
    args: [
      `--config.file=${ALERTMANAGER_FILE}`,
      `--storage.path=${dir}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
      '--log.level=error',
    ],
  });
  const url = `http://127.0.0.1:${port}`;
  await untilHealthy(server, `${url}/-/ready`, READY_WITHIN_MS);
  const post = async (firing: readonly Labels[], endsAt: Date) => {
    const alerts = firing.map((labels) => ({ labels, endsAt: endsAt.toISOString() }));
    const response = await fetch(`${url}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(alerts),
    });
    if (!response.ok) throw new Error(`Alertmanager answered ${response.status}: ${await response.text()}`);
  };
  return {
    async heldBack(...firing) {
      await post(firing, new Date(Date.now() + 600_000));
      const found = (await (await fetch(`${url}/api/v2/alerts`)).json()) as readonly {
        readonly labels: { readonly alertname: string };
        readonly status: { readonly inhibitedBy: readonly string[] };
      }[];
      await post(firing, new Date());
      return found
        .filter(({ status }) => status.inhibitedBy.length > 0)
        .map(({ labels }) => labels.alertname)
        .toSorted();
    },
    async stop() {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
