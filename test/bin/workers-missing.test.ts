/** `npm run ops -- list` and `why` with polling workers, without workers, and with a Temporal that does not answer. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { readIncidents } from '../../api/operations/incidents-in-temporal.ts';
import type { OpsContext } from '../../bin/ops/core/command.ts';
import { workersPart } from '../../bin/ops/health.ts';
import { queues } from '../../bin/ops/queues.ts';
import { restored } from '../../bin/ops/restored.ts';
import type { Incident } from '../../contract/operations/incidents.ts';
import { sql } from '../../db/core/pool.ts';
import { makeCurrent } from '../../platform/temporal/deployments.ts';
import { readQueues } from '../../platform/temporal/queue-states.ts';
import { eventually } from '../support/core/eventually.ts';
import { takeOverClock } from '../support/db/moving-clock.ts';
import { runOps } from '../support/stack/ops.ts';
import { createSessionWorld, type SessionWorld } from '../support/world/checkout-world.ts';

const DEPLOYMENT = 'hosted-checkout';
const LINKS = { runbookUrl: 'docs/on-call.md' };
const PRODUCTION = 'checkout, billing, webhooks';

let world: SessionWorld;
let stopWorker: () => Promise<void>;
beforeAll(async () => {
  world = await createSessionWorld();
  await takeOverClock(world.pool);
  stopWorker = await world.startWorker();
});
afterAll(() => world?.close());

const ops = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runOps(args, {
    DATABASE_URL: world.databaseUrl,
    TEMPORAL_ADDRESS: process.env.TEST_TEMPORAL_ADDRESS,
    TEMPORAL_NAMESPACE: world.namespace,
    ...env,
  });
const listed = (filter = {}): Promise<readonly Incident[]> =>
  readIncidents({ pool: world.pool, temporal: world.client }, filter, LINKS);
const idsOf = (incidents: readonly Incident[]) => incidents.map(({ kind, id }) => `${kind} ${id}`);
const MISSING = ['workers_missing workers:sandbox', 'workers_missing workers:production'];

async function moveClock(seconds: number): Promise<void> {
  await world.pool.query(sql.unsafe`update moved_clock set by = by + ${seconds} * interval '1 second'`);
}

describe('while workers poll', () => {
  test('no incident is listed, even while a poll waits for a task', async () => {
    await eventually(async () => expect(await listed()).toEqual([]));
    expect(await ops(['list'])).toEqual({ code: 0, out: 'Nothing needs an operator.\n', err: '' });
    // Workers count as missing 75 s after the last poll: it lasts a minute, and 15 s allow for load.
    await moveClock(40);
    expect(await listed()).toEqual([]);
    await moveClock(-40);
  });

  test('`health` exits with 0 only if every part was checked', async () => {
    expect(await ops(['health'])).toMatchObject({ code: 0, err: '' });
    await world.pool.query(sql.unsafe`alter table webhook_endpoints rename to unreadable`);
    const { code, out } = await ops(['health']);
    await world.pool.query(sql.unsafe`alter table unreadable rename to webhook_endpoints`);
    expect(code).toBe(1);
    expect(out).toMatch(/^workers +ok /m);
    expect(out).toMatch(/^endpoints +\? +relation "webhook_endpoints" does not exist$/m);
    expect(out).not.toContain('DOWN');
  });

  test('`why` states that workers poll and that Temporal answers', async () => {
    const workers = await ops(['why', 'workers:sandbox']);
    expect({ code: workers.code, out: workers.out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^incident workers:sandbox .*\n {2}ok: Workers have polled every queue /),
    });
    expect((await ops(['why', 'temporal'])).out).toContain('ok: Temporal answers.');
    expect((await ops(['why', 'workers:staging'])).err).toContain('Nothing has the id or reference');
    const { out } = await ops(['why', 'workers:sandbox'], { TEMPORAL_ADDRESS: '127.0.0.1:1' });
    expect(out).toContain(
      'temporal_unavailable: Temporal does not answer, so it is unknown whether workers run.',
    );
  });
});

/** A Temporal that describes every queue as given. */
function describing(describe: (queue: string) => object): Client {
  const describeTaskQueue = async ({ taskQueue: { name } }: { taskQueue: { name: string } }) =>
    describe(name);
  return Object.create(world.client, { workflowService: { value: { describeTaskQueue } } });
}
const polledAgo = (seconds: number) => ({ seconds: Math.floor(Date.now() / 1_000) - seconds });

test('workers of a build that is not current count as missing in `health` as in `list`', async () => {
  const temporal = describing(() => ({
    pollers: [{ identity: '7@vm', lastAccessTime: polledAgo(0), deploymentOptions: { buildId: 'a' } }],
    versioningInfo: { currentDeploymentVersion: { buildId: 'b' } },
  }));
  expect(workersPart(await readQueues(temporal, 5_000))).toMatchObject({
    ok: false,
    section: 'workers_missing',
  });
  expect(idsOf(await readIncidents({ pool: world.pool, temporal }, {}, LINKS))).toEqual(MISSING);
});

describe('while Temporal is slow', () => {
  const timeout = () =>
    Object.assign(new Error('slow'), { code: 4, details: 'Deadline exceeded', metadata: {} });
  const polled = () => ({
    pollers: [{ identity: '7@vm since 2999-01-01T00:00:00.000Z', lastAccessTime: polledAgo(0) }],
  });
  let printed = '';
  beforeEach(() => {
    printed = '';
    jest.spyOn(console, 'log').mockImplementation((line: unknown) => {
      printed += `${line}\n`;
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('`restored --temporal` continues to wait after an answer that comes too late', async () => {
    let asked = 0;
    const temporal = describing(() => {
      asked += 1;
      if (asked === 1) throw timeout();
      return polled();
    });
    const run = (...args: string[]) => restored.run(['--temporal', ...args], { temporal } as OpsContext);
    expect(await run()).toBe(0);
    asked = 0;
    await expect(run('--no-wait')).rejects.toThrow('Temporal does not answer');
  });

  test('`queues` prints the queues even if the list of failing workflows comes too late', async () => {
    const list = () => {
      throw timeout();
    };
    const temporal = Object.create(describing(polled), { workflow: { value: { list } } });
    await expect(queues.runOffDatabase([], { temporal, processes: [] })).rejects.toThrow(
      'Temporal does not answer',
    );
    expect(printed).toMatch(/^checkout +workflow +1 /m);
  });
});

describe('while workers poll but tasks wait', () => {
  const behind = (queue: string, seconds: number, ago: number) =>
    describing((name) => ({
      pollers: [{ lastAccessTime: polledAgo(ago) }],
      stats: { approximateBacklogAge: { seconds: name === queue ? seconds : 0 } },
    }));
  const of = (queue: string, seconds: number, ago = 0) =>
    readIncidents({ pool: world.pool, temporal: behind(queue, seconds, ago) }, {}, LINKS);

  test('a queue is listed once its oldest task has waited for over 20 s, with the reason that `health` gives', async () => {
    const listed = await of('billing', 90);
    expect(idsOf(listed)).toEqual(['workers_missing workers:production']);
    expect(listed[0]).toMatchObject({
      age_seconds: 90,
      reason: expect.stringMatching(
        /^tasks of billing have waited since 20.+Z; workers poll, so Temporal is slow/,
      ),
    });
    expect(await of('billing', 90, 40)).toMatchObject([
      { kind: 'workers_missing', reason: expect.stringMatching(/Z; workers hang: last poll 4\d s ago$/) },
    ]);
    expect(await of('billing', 20)).toEqual([]);
  });
});

describe('without a worker', () => {
  beforeAll(async () => {
    await stopWorker();
    await moveClock(80);
  });

  test('the list shows the missing workers first, with the last poll and a link to the runbook', async () => {
    const id = await world.session();
    await world.pool.query(
      sql.unsafe`update checkouts set state = 'reconciliation_required' where id = ${id}`,
    );
    await eventually(async () =>
      expect(idsOf(await listed())).toEqual([...MISSING, `reconciliation_required ${id}`]),
    );
    const { code, out } = await ops(['list']);
    expect(code).toBe(1);
    expect(out).toMatch(/^workers_missing +- +\d+ (s|min) +- +workers:sandbox$/m);
    expect(out).toMatch(new RegExp(`no worker has polled ${PRODUCTION} since 20\\d\\d-.*Z`));
    expect(out).toContain('next: npm run ops -- health');
    expect(out).toContain('runbook: docs/on-call.md#workers_missing');
    await world.pool.query(sql.unsafe`update checkouts set state = 'created' where id = ${id}`);
  });

  test('`why` accepts the id that the list prints', async () => {
    const { code, out } = await ops(['why', 'workers:production']);
    expect(code).toBe(0);
    expect(out).toContain('incident workers:production (the whole installation, production)');
    expect(out).toContain('runbook: docs/on-call.md#workers_missing');
  });

  test('the incident has a kind, an environment and an age, but no merchant or amount', async () => {
    expect(idsOf(await listed({ environment: 'production' }))).toEqual([MISSING[1]]);
    expect(idsOf(await listed({ kinds: ['workers_missing'], olderThanSeconds: 60, limit: 1 }))).toEqual([
      MISSING[0],
    ]);
    expect(await listed({ olderThanSeconds: 3_600 })).toEqual([]);
    expect(await listed({ kinds: ['overdue'] })).toEqual([]);
    expect(await listed({ merchantId: 'ap_mer_1' })).toEqual([]);
    expect(await listed({ merchants: [] })).toEqual([]);
    expect(await listed({ minAmount: 1 })).toEqual([]);
  });

  test('workers of a build that is not current do not count as serving new sessions', async () => {
    await moveClock(-80);
    const stopFormer = await world.startWorker({ deploymentName: DEPLOYMENT, buildId: 'a' });
    const stopCurrent = await world.startWorker({ deploymentName: DEPLOYMENT, buildId: 'b' });
    await eventually(() => makeCurrent(world.client, DEPLOYMENT, 'b'));
    await eventually(async () => expect(await listed()).toEqual([]));
    await stopCurrent();
    await moveClock(80);
    await eventually(async () => expect(idsOf(await listed())).toEqual(MISSING));
    await stopFormer();
  }, 60_000);
});

describe('without Temporal', () => {
  const sockets = new Set<Socket>();
  const hanging = createServer((socket) => sockets.add(socket));
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    hanging.close();
  });

  test.each([
    ['refuses connections', async () => '127.0.0.1:1'],
    [
      'accepts connections and never answers',
      async () => {
        await once(hanging.listen(0, '127.0.0.1'), 'listening');
        return `127.0.0.1:${(hanging.address() as AddressInfo).port}`;
      },
    ],
  ])('the list reports the outage and the recorded incidents while Temporal %s', async (_how, address) => {
    const id = await world.session();
    await world.pool.query(
      sql.unsafe`update checkouts set state = 'reconciliation_required' where id = ${id}`,
    );
    const env = { TEMPORAL_ADDRESS: await address() };
    const { code, out, err } = await ops(['list'], env);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toMatch(/^temporal_unavailable +- +0 s +- +temporal$/m);
    expect(out).toMatch(/^ {4}no answer within 5 s: (the call timed out|.+ECONNREFUSED.+)$/m);
    const commands = [['sweep'], ['deploy', 'list'], ['restored', '--temporal', '--no-wait']];
    const calls = commands.map((args) => ops(args, env));
    for (const { err } of await Promise.all(calls))
      expect(err).toMatch(
        /^Temporal does not answer: (the call timed out|.+ECONNREFUSED.+)\. See npm run ops/,
      );
    expect(out).toContain('runbook: docs/on-call.md#temporal_unavailable');
    expect(out).toContain(`next: npm run ops -- ask ${id}`);
    await world.pool.query(sql.unsafe`update checkouts set state = 'created' where id = ${id}`);
  });
});
