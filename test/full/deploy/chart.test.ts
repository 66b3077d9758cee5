/**
 * The Helm chart: linted, rendered, valid for Kubernetes, and within the policy for what runs in production.
 * @reads deploy/chart
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../../bin/config/read.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { TEST_PEPPER, TEST_SECRETS_KEY } from '../../support/db/fixtures.ts';
import { type ChartTools, chartTools } from '../../support/tool/chart.ts';

const CHART = join(PROJECT_DIR, 'deploy/chart');
const LEAST = ['--set', 'publicUrl=https://pay.example.com,temporal.address=temporal:7233'];
const SCALED = [...LEAST, '--set', 'autoscaling.enabled=true'];
const DIGEST = `sha256:${'0'.repeat(64)}`;
const FORMER_DIGEST = `sha256:${'1'.repeat(64)}`;
const BUILDS = [
  '--set',
  `build=v2,image.digest=${DIGEST}`,
  '--set',
  `formerBuilds[0].build=v1,formerBuilds[0].digest=${FORMER_DIGEST}`,
];

let tools: ChartTools;
let dir: string;
beforeAll(async () => {
  tools = await chartTools();
  dir = await mkdtemp(join(tmpdir(), 'checkout-chart-'));
}, 300_000);
afterAll(() => rm(dir, { recursive: true, force: true }));

const helm = async (command: string, ...args: readonly string[]) =>
  (
    await promisify(execFile)(
      tools.helm,
      command === 'lint' ? ['lint', CHART, ...args] : [command, 'shop', CHART, ...args],
    )
  ).stdout;

async function rendered(...args: readonly string[]): Promise<readonly Manifest[]> {
  const documents = parseAllDocuments(await helm('template', ...args));
  return documents.map((document) => document.toJS() as Manifest).filter(Boolean);
}

test('helm lint finds nothing', async () => {
  expect(await helm('lint', '--strict', ...LEAST)).toContain('0 chart(s) failed');
});

test.each(['1.30', '1.37'])(
  'the rendered chart is valid for Kubernetes %s',
  async (release) => {
    const file = join(dir, `${release}.yaml`);
    const check = () =>
      promisify(execFile)(tools.python, ['-m', 'kubernetes_validate', '-k', release, '--strict', file]);
    // The validator has no schema for KEDA's kind.
    const text = await helm('template', ...SCALED, ...BUILDS);
    await writeFile(file, text);
    const { stdout, stderr } = await check();
    expect(`${stdout}${stderr}`.match(/passed for resource/g)).toHaveLength(14);
    await writeFile(file, text.replace('replicas: 2', 'replica: 2'));
    const failed = await check().catch((error) => `${error.stdout}${error.stderr}`);
    expect(failed).toContain("'replica' was unexpected");
  },
  60_000,
);

test('each pod runs unprivileged and within limits, and has probes', async () => {
  const pods = (await rendered(...LEAST)).filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
  expect(pods.map(({ metadata }) => metadata.name).sort()).toEqual([
    'shop-api',
    'shop-migrations',
    'shop-worker-payments',
    'shop-worker-webhooks',
  ]);
  for (const { kind, spec } of pods) {
    const pod = spec.template.spec;
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    const [container] = pod.containers;
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      resources: { requests: { cpu: expect.anything() }, limits: { memory: expect.anything() } },
    });
    if (kind === 'Job') continue;
    expect(container.livenessProbe.httpGet.path).toBe('/livez');
    expect(container.readinessProbe.httpGet.path).toBe('/readyz');
  }
});

test.each([
  ['alone', LEAST],
  ['alongside a former build', [...LEAST, ...BUILDS]],
])(
  'a chart installed %s keeps pods of each Deployment running during node drains and rollouts',
  async (_what, values) => {
    const all = await rendered(...values);
    const labelsOf = ({ spec }: Manifest) => spec.selector.matchLabels;
    const budgets = all.filter(({ kind }) => kind === 'PodDisruptionBudget').map(labelsOf);
    const deployments = all.filter(({ kind }) => kind === 'Deployment');
    for (const deployment of deployments) {
      expect(budgets).toContainEqual(labelsOf(deployment));
      expect(deployment.spec.template.metadata.labels).toMatchObject(labelsOf(deployment));
      expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
    }
    expect(budgets).toHaveLength(deployments.length);
  },
);

test('migrations run before the new code, with only the database’s settings', async () => {
  const job = (await rendered(...LEAST)).find(({ kind }) => kind === 'Job');
  expect(job?.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
  expect(namesIn(job)).toEqual(['DATABASE_URL']);
});

test('no manifest contains a secret, and the service starts with the environment of its pods', async () => {
  const pods = (await rendered(...LEAST)).filter(({ kind }) => kind === 'Deployment');
  const secrets = {
    DATABASE_URL: 'postgres://db/checkout',
    API_KEY_PEPPER: TEST_PEPPER,
    SECRETS_KEY: TEST_SECRETS_KEY,
  };
  for (const pod of pods) {
    const env = envOf(pod);
    const given = Object.fromEntries(
      env.map(({ name, value, valueFrom }) => [
        name,
        valueFrom ? secrets[name as keyof typeof secrets] : value,
      ]),
    );
    for (const name of Object.keys(secrets)) {
      expect(env.find((each) => each.name === name)?.valueFrom?.secretKeyRef).toEqual({
        name: 'hosted-checkout',
        key: name,
      });
    }
    expect(new Set(env.map(({ name }) => name)).size).toBe(env.length);
    expect(readConfig(given).temporal.address).toBe('temporal:7233');
  }
  const queues = pods.flatMap((pod) =>
    envOf(pod)
      .filter(({ name }) => name === 'WORKER_QUEUES')
      .map(({ value }) => value),
  );
  expect(queues.sort()).toEqual(['checkout,billing', 'webhooks']);
});

test('only the API is reachable from outside', async () => {
  const policies = (await rendered(...LEAST)).filter(({ kind }) => kind === 'NetworkPolicy');
  const portsOf = (rules: readonly { ports?: readonly { port: number }[] }[]) =>
    rules.flatMap(({ ports = [] }) => ports.map(({ port }) => port));
  const [all, api] = policies.map(({ spec }) => spec);
  expect(all.podSelector.matchLabels).not.toHaveProperty(['app.kubernetes.io/component']);
  expect(all.policyTypes).toEqual(['Ingress', 'Egress']);
  expect(portsOf(all.ingress)).toEqual([9464, 9465]);
  expect(api.podSelector.matchLabels).toHaveProperty(['app.kubernetes.io/component'], 'api');
  expect(portsOf(api.ingress)).toEqual([8080]);
});

const PRIVATE = [
  '10.0.0.5',
  '172.20.0.5',
  '192.168.1.5',
  '100.64.0.5',
  '169.254.169.254',
  '168.63.129.16',
  'fd00:ec2::254',
  'fc00::5',
  'fe80::5',
];

test('pods reach no private address or cloud metadata, except DNS, PostgreSQL and Temporal', async () => {
  const reaches = egressOf(await rendered(...LEAST));
  for (const address of PRIVATE) {
    expect([address, reaches(address, 443), reaches(address, 80)]).toEqual([address, false, false]);
    expect([address, ...[53, 5432, 7233].map((port) => reaches(address, port))]).toEqual([
      address,
      ...[true, true, true],
    ]);
  }
  expect(['93.184.215.14', '2606:2800:21f::1', '172.32.0.1'].map((to) => reaches(to, 443))).toEqual([
    true,
    true,
    true,
  ]);
});

test('pods reach PostgreSQL, Temporal and other services only at the addresses in the chart’s values', async () => {
  const peer = (cidr: string) => JSON.stringify([{ ipBlock: { cidr } }]);
  const reaches = egressOf(
    await rendered(
      ...[...LEAST, '--set', 'temporal.address=temporal:7000', '--set', 'egress.database.port=6432'],
      ...['--set-json', `egress.database.to=${peer('10.1.0.0/16')}`],
      ...['--set-json', `egress.temporal.to=${peer('10.2.0.0/16')}`],
      ...['--set-json', `egress.others=[{"to":${peer('10.3.0.0/16')},"ports":[{"port":443}]}]`],
    ),
  );
  const parts = [
    ['10.1.0.5', 6432],
    ['10.2.0.5', 7000],
    ['10.3.0.5', 443],
  ] as const;
  for (const [address] of parts) {
    expect(parts.map(([, port]) => reaches(address, port))).toEqual(parts.map(([own]) => own === address));
  }
  expect([reaches('10.1.0.5', 5432), reaches('10.2.0.5', 7233)]).toEqual([false, false]);
});

test('with autoscaling, each worker Deployment scales with the latency of its own queues', async () => {
  const all = await rendered(...SCALED);
  const scaled = all.filter(({ kind }) => kind === 'ScaledObject');
  expect(scaled.map(({ spec }) => spec.scaleTargetRef.name)).toEqual([
    'shop-worker-payments',
    'shop-worker-webhooks',
  ]);
  expect(scaled[1]?.spec.triggers[0].metadata.query).toContain('task_queue=~"webhooks|sandbox-webhooks"');
  for (const { kind, metadata, spec } of all) {
    if (kind === 'Deployment' && metadata.name !== 'shop-api') expect(spec).not.toHaveProperty('replicas');
  }
  expect((await rendered(...LEAST)).some(({ kind }) => kind === 'ScaledObject')).toBe(false);
});

describe('with builds', () => {
  const workersOf = async (...args: readonly string[]) =>
    (await rendered(...LEAST, ...args))
      .filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name !== 'shop-api')
      .map((deployment) => ({
        name: deployment.metadata.name,
        image: deployment.spec.template.spec.containers[0].image,
        build: envOf(deployment).find(({ name }) => name === 'BUILD_ID')?.value,
        replicas: deployment.spec.replicas,
      }));
  const now = { image: `hosted-checkout@${DIGEST}`, build: 'v2', replicas: 2 };
  const former = { image: `hosted-checkout@${FORMER_DIGEST}`, build: 'v1', replicas: 2 };

  test('the workers of the previous build keep running alongside the new ones, with their own image', async () => {
    expect(await workersOf(...BUILDS)).toEqual(
      expect.arrayContaining([
        { ...now, name: 'shop-worker-payments-v2' },
        { ...now, name: 'shop-worker-webhooks-v2' },
        { ...former, name: 'shop-worker-payments-v1' },
        { ...former, name: 'shop-worker-webhooks-v1' },
      ]),
    );
    expect(await workersOf(...BUILDS)).toHaveLength(4);
  });

  test('a build’s Deployments keep their names when the next build is deployed', async () => {
    const names = async (...args: readonly string[]) => (await workersOf(...args)).map(({ name }) => name);
    const first = await names('--set', 'build=v1');
    expect(await names(...BUILDS)).toEqual(expect.arrayContaining([...first]));
    const unversioned = ['--set', `build=v1,formerBuilds[0].build=,formerBuilds[0].tag=1.0.0`];
    expect(await names(...unversioned)).toEqual(expect.arrayContaining([...(await names()), ...first]));
    const kept = (await workersOf(...unversioned)).find(({ name }) => name === 'shop-worker-payments');
    expect(kept).toMatchObject({ image: 'hosted-checkout:1.0.0', build: undefined });
  });

  test('autoscaling covers only the current build, and the chart sets no replica count for either build', async () => {
    const scaled = (await rendered(...SCALED, ...BUILDS)).filter(({ kind }) => kind === 'ScaledObject');
    expect(scaled.map(({ spec }) => spec.scaleTargetRef.name)).toEqual([
      'shop-worker-payments-v2',
      'shop-worker-webhooks-v2',
    ]);
    const workers = await workersOf('--set', 'autoscaling.enabled=true', ...BUILDS);
    expect(workers.filter(({ replicas }) => replicas !== undefined)).toEqual([]);
  });
});

test('a digest takes precedence over the tag', async () => {
  const images = (await rendered(...LEAST, '--set', `image.digest=${DIGEST},image.tag=1.2.3`)).flatMap(
    ({ spec }) => spec.template?.spec.containers.map(({ image }: Container) => image) ?? [],
  );
  expect(new Set(images)).toEqual(new Set([`hosted-checkout@${DIGEST}`]));
});

test.each([
  ['no public address', ['--set', 'temporal.address=temporal:7233'], 'publicUrl'],
  ['no Temporal', ['--set', 'publicUrl=https://pay.example.com'], 'temporal'],
  [
    'a queue that no worker serves',
    [...LEAST, '--set', 'workers.webhooks=null'],
    'No worker serves the queue webhooks',
  ],
  ['a secret in plain text', [...LEAST, '--set', 'env.API_KEY_PEPPER=canary'], 'API_KEY_PEPPER'],
  ['a build in env, which would apply to all workers', [...LEAST, '--set', 'env.BUILD_ID=v1'], 'BUILD_ID'],
  ['a build named twice', [...LEAST, ...BUILDS, '--set', 'build=v1'], 'The build "v1" is named twice'],
  [
    'a former build without its image',
    [...LEAST, '--set', 'build=v2,formerBuilds[0].build=v1'],
    'formerBuilds',
  ],
  ['a value that the chart does not know', [...LEAST, '--set', 'api.replica=3'], 'replica'],
])('the chart refuses %s', async (_what, args, words) => {
  const failed = await helm('template', ...args).catch((error) => error);
  expect(failed.stderr).toContain(words);
  expect(failed.stderr).not.toContain('canary');
});

interface Block {
  readonly cidr: string;
  readonly except?: readonly string[];
}

interface EgressRule {
  readonly to?: readonly { readonly ipBlock: Block }[];
  readonly ports?: readonly { readonly port: number }[];
}

/** Returns whether pods may connect to an address, by the rules of the policies. */
function egressOf(manifests: readonly Manifest[]) {
  const rules: readonly EgressRule[] = manifests
    .filter(({ kind, spec }) => kind === 'NetworkPolicy' && spec.policyTypes.includes('Egress'))
    .flatMap(({ spec }) => spec.egress);
  const holds = (cidr: string, address: string) => {
    const list = new BlockList();
    const [network = '', prefix] = cidr.split('/');
    list.addSubnet(network, Number(prefix), familyOf(network));
    return familyOf(network) === familyOf(address) && list.check(address, familyOf(address));
  };
  return (address: string, port: number) =>
    rules.some(
      ({ to, ports }) =>
        (!ports || ports.some((each) => each.port === port)) &&
        (!to ||
          to.some(
            ({ ipBlock: { cidr, except = [] } }) =>
              holds(cidr, address) && !except.some((each) => holds(each, address)),
          )),
    );
}

const familyOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4');

interface Container {
  readonly image: string;
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has another form, which the validator checks.
  readonly spec: any;
}

interface EnvVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}

function envOf(manifest: Manifest | undefined): readonly EnvVariable[] {
  return manifest?.spec.template.spec.containers[0].env ?? [];
}

function namesIn(manifest: Manifest | undefined): readonly string[] {
  return envOf(manifest).map(({ name }) => name);
}
