/** Builds of the workers: sessions stay on the one that began them, and runs from before versioning go on. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../support/core/eventually.ts';
import { BARE_ENV } from '../../support/stack/process.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const VISA = '4242424242424242';
const version = (buildId: string) => ({ deploymentName: 'hosted-checkout', buildId });

let world: SessionWorld;
beforeAll(async () => {
  world = await createSessionWorld();
}, 60_000);
afterAll(() => world?.close());

async function deploy(...args: string[]) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['bin/ops.ts', 'deploy', ...args, '--json'],
    {
      env: {
        ...BARE_ENV,
        DATABASE_URL: world.databaseUrl,
        TEMPORAL_ADDRESS: process.env.TEST_TEMPORAL_ADDRESS,
        TEMPORAL_NAMESPACE: world.namespace,
      },
    },
  );
  const { builds } = JSON.parse(stdout) as { builds: { buildId: string; state: string }[] };
  return Object.fromEntries(builds.map(({ buildId, state }) => [buildId, state]));
}

async function buildOf(checkoutId: string) {
  const { raw } = await world.client.workflow.getHandle(checkoutId).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
}

/** A session whose workflow has run its first task: pinned, if a build has run it. */
async function begun() {
  const id = await world.session();
  await world.pay(id, '4000000000000002');
  return id;
}

async function paid(id: string) {
  await world.pay(id, VISA);
  await world.until(id, 'succeeded');
  return buildOf(id);
}

test('a session stays on its build through the first one, a deploy and a roll-back', async () => {
  const stopUnversioned = await world.startWorker();
  const before = await begun();
  expect(await buildOf(before)).toBeUndefined();

  await world.startWorker(version('a'));
  await eventually(() => deploy('current', 'a'));
  await stopUnversioned();
  expect(await paid(before)).toBe('a');
  const first = await begun();

  await world.startWorker(version('b'));
  await eventually(async () =>
    expect(await deploy('current', 'b')).toMatchObject({ a: 'draining', b: 'current' }),
  );
  const second = await begun();
  expect(await paid(first)).toBe('a');

  expect(await deploy('current', 'a')).toMatchObject({ a: 'current', b: 'draining' });
  const third = await begun();
  expect(await paid(second)).toBe('b');
  expect(await paid(third)).toBe('a');
}, 120_000);
