/**
 * Runs first commands of docs/on-call.md as the line for Kubernetes does: the program of that Deployment's container, with
 * its environment in the rendered chart. @reads docs deploy/chart
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { read } from '../../docs/documents.ts';
import { FIRST_COMMANDS, failuresOf, opsLineOf } from '../../docs/run-on-call.ts';
import { TEST_PEPPER, TEST_SECRETS_KEY } from '../../support/db/fixtures.ts';
import { chartTools } from '../../support/tool/chart.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const VALUES = 'publicUrl=https://127.0.0.1:1,temporal.address=temporal:7233';

interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

let world: SessionWorld;
let deployments: ReadonlyMap<string, Container>;
beforeAll(async () => {
  const { helm } = await chartTools();
  const chart = join(PROJECT_DIR, 'deploy/chart');
  const { stdout } = await promisify(execFile)(helm, ['template', 'checkout', chart, '--set', VALUES]);
  deployments = new Map(
    parseAllDocuments(stdout)
      .map((document) => document.toJS())
      .filter((each) => each?.kind === 'Deployment')
      .map(({ metadata, spec }) => [metadata.name, spec.template.spec.containers[0]]),
  );
  world = await createSessionWorld();
  await world.startWorker();
}, 300_000);
afterAll(() => world?.close());

test.each([
  ['API', opsLineOf('Kubernetes')[2], FIRST_COMMANDS],
  ['worker', 'deploy/checkout-worker-payments', ['ops health', 'ops list --kind overdue']],
])(
  'first commands of the runbook succeed in the pods of the chart: %s',
  async (_, target = '', commands) => {
    const [kubectl, exec, , dashes, ...program] = opsLineOf('Kubernetes');
    expect([kubectl, exec, dashes, program[0]]).toEqual(['kubectl', 'exec', '--', 'node']);
    const { env } = deployments.get(target.replace('deploy/', '')) as Container;
    const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    expect(given).toHaveProperty('DATABASE_URL', undefined);
    const ofSecret = {
      DATABASE_URL: world.databaseUrl,
      SECRETS_KEY: TEST_SECRETS_KEY,
      API_KEY_PEPPER: TEST_PEPPER,
    };
    const temporal = {
      TEMPORAL_ADDRESS: process.env.TEST_TEMPORAL_ADDRESS,
      TEMPORAL_NAMESPACE: world.namespace,
    };
    const failed = await failuresOf(commands, program, { ...given, ...ofSecret, ...temporal });
    expect(failed).toEqual([]);
  },
  300_000,
);

test('the Deployments that the runbook names exist', () => {
  const named = [...read('docs/on-call.md').matchAll(/\bdeploy\/([a-z-]+)/g)].map(([, name = '']) => name);
  expect(named).toContain('checkout-worker-payments');
  expect(named.filter((name) => !deployments.has(name))).toEqual([]);
});
