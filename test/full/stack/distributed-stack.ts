/** The stack of `npm run stack -- --temporal=postgres` in a temporary folder, with a merchant's server that buys on it. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { EventSource } from 'undici';
import { prepareDatabase } from '../../../bin/prepare-database.ts';
import { payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import type { LedgerEntry } from '../../../sandbox/rail/db/ledger.ts';
import { cacheDir } from '../../../sandbox/stack/core/directories.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import type { DevJson } from '../../../sandbox/stack/dev-json.ts';
import { untilHealthy } from '../../../sandbox/stack/process/health.ts';
import type { Part, PartSpec } from '../../../sandbox/stack/process/part.ts';
import { createSupervisor } from '../../../sandbox/stack/process/supervise.ts';
import type { HowMany } from '../../../sandbox/stack/replicas.ts';
import { createStack } from '../../../sandbox/stack/stack.ts';
import { eventually } from '../../support/core/eventually.ts';
import { ownPorts } from '../../support/stack/own-ports.ts';

const FAST_AND_FORGETFUL = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const PATIENCE_MS = 60_000;
const APPROVED = '4242424242424242';
const DECLINED = '4000000000000002';

/** Whose product is bought; by default the demo merchant, whose shop receives the events. */
interface Shop {
  readonly apiKey: string;
  readonly productId: string | undefined;
}

export interface DistributedStack {
  readonly dev: DevJson;
  readonly processes: NonNullable<DevJson['processes']>;
  /** Buys as a merchant and a buyer do, repeating requests that failed. @returns the session's id, which is paid */
  buy(shop?: Shop): Promise<string>;
  /** A session with a declined attempt, so that its workflow has begun. @returns pays it with another card */
  begin(): Promise<() => Promise<string>>;
  /** A buyer's page, which has received its session over its event stream. */
  openPage(): Promise<OpenPage>;
  /** Resolves when so many more purchases have begun. */
  purchases(count: number): Promise<void>;
  /** Each session has one approved charge at the rail, and the shop has one `payment.succeeded` for each. */
  chargedOnceEach(sessionIds: readonly string[]): Promise<void>;
  part(name: string): Part;
  /** Starts another process of the same kind on other ports; resolves when its health check answers. */
  startLike(part: string, name: string, env?: NodeJS.ProcessEnv): Promise<Part>;
  /** One API after the other is replaced by another process, as a rolling deploy does. */
  replaceApis(): Promise<void>;
  stop(): Promise<void>;
}

interface OpenPage {
  readonly sessionId: string;
  /** Pays, and resolves once the stream has said so. */
  payAndSee(): Promise<void>;
  /** How often the stream was opened: again after each time that it was lost, as a browser does. */
  openings(): number;
  close(): void;
}

/** @param env for every part */
export async function startDistributed(
  howMany: HowMany,
  env: NodeJS.ProcessEnv = {},
): Promise<DistributedStack> {
  const localDir = await mkdtemp(join(tmpdir(), 'checkout-distributed-'));
  const parts = new Map<string, Part>();
  const specs = new Map<string, PartSpec>();
  const keep = (part: Part) => {
    parts.set(part.name, part);
    return part;
  };
  const startPart = (spec: PartSpec) => {
    const withEnv = { ...spec, env: { ...env, ...spec.env } };
    specs.set(spec.name, withEnv);
    return keep(supervisor.startPart(withEnv));
  };
  const partOf = (name: string) => {
    const part = parts.get(name);
    if (!part) throw new Error(`there is no part ${name}`);
    return part;
  };
  const supervisor = createSupervisor({ logsDir: join(localDir, 'logs'), onProblem: () => {} });
  const stack = createStack({
    env: await ownPorts(),
    localDir,
    cacheDir: cacheDir(process.env),
    progress: { step: (_what, work) => work(), note: () => {} },
    supervisor: {
      ...supervisor,
      startPart,
      startProgram: (program) => keep(supervisor.startProgram(program)),
    },
    prepareDatabase,
    temporalOnPostgres: true,
    howMany,
    postgresSettings: { ...FAST_AND_FORGETFUL, max_connections: '400' },
  });
  const stop = async () => {
    await stack.stop();
    await rm(localDir, { recursive: true, force: true });
  };
  const dev = await stack.start().catch(async (error) => {
    await stop();
    throw error;
  });
  let begun = 0;
  let apis = [...specs.keys()].filter((name) => name.startsWith('api'));
  const portOf = (name: string) => Number(specs.get(name)?.env?.API_PORT);

  async function pay(hostedUrl: string, attempts: number): Promise<void> {
    begun += 1;
    const { report, problem } = await payAsBuyer({ hostedUrl, card: APPROVED });
    expect({ ...report, problem }).toMatchObject({ state: 'succeeded', attempts, problem: null });
  }

  async function startLike(part: string, name: string, more: NodeJS.ProcessEnv = {}): Promise<Part> {
    const spec = specs.get(part);
    if (!spec) throw new Error(`there is no part ${part}`);
    const ports = Object.keys(spec.env ?? {}).filter((key) => /^(API|WORKER)_\w*PORT$/.test(key));
    const env = Object.fromEntries(await Promise.all(ports.map(async (key) => [key, `${await freePort()}`])));
    const started = startPart({ ...spec, name, env: { ...spec.env, ...env, ...more } });
    const port = env.API_PORT ?? env.WORKER_HEALTH_PORT;
    await untilHealthy(started, `http://127.0.0.1:${port}/healthz`, PATIENCE_MS);
    return started;
  }

  return {
    dev,
    processes: dev.processes as NonNullable<DevJson['processes']>,
    async buy(shop) {
      const { id, hostedUrl } = await create(dev, shop);
      await pay(hostedUrl, 1);
      return id;
    },
    async begin() {
      const { id, hostedUrl } = await create(dev);
      const { report } = await payAsBuyer({ hostedUrl, card: DECLINED });
      expect(report).toMatchObject({ state: 'created', attempts: 1 });
      return async () => {
        await pay(hostedUrl, 2);
        return id;
      };
    },
    async openPage() {
      const { id, hostedUrl } = await create(dev);
      const source = new EventSource(`${hostedUrl}/events`);
      const states: string[] = [];
      let openings = 0;
      source.addEventListener('open', () => (openings += 1));
      source.addEventListener('state', (event) =>
        states.push(JSON.parse((event as MessageEvent<string>).data).state),
      );
      await eventually(() => expect(states).toContain('created'), PATIENCE_MS);
      return {
        sessionId: id,
        async payAndSee() {
          await pay(hostedUrl, 1);
          await eventually(() => expect(states).toContain('succeeded'), PATIENCE_MS);
        },
        openings: () => openings,
        close: () => source.close(),
      };
    },
    async purchases(count) {
      const target = begun + count;
      await eventually(() => expect(begun).toBeGreaterThanOrEqual(target), PATIENCE_MS);
    },
    async chargedOnceEach(ids) {
      const paid = await eventually(async () => {
        const received = (await json(dev.webhook.eventsUrl)) as readonly { event: PaidEvent }[];
        const events = received.map(({ event }) => event).filter(({ type }) => type === 'payment.succeeded');
        const bySession = new Map(events.map((event) => [event.checkout?.id, event]));
        for (const id of ids) expect(bySession.get(id)).toBeDefined();
        return ids.map((id) => bySession.get(id)?.payment.id);
      }, PATIENCE_MS);
      const charges = (await json(`${dev.railUrl}/ledger`)) as readonly LedgerEntry[];
      const approved = charges.filter(({ operation }) => operation === 'authorize');
      for (const id of paid) expect(approved.filter(({ reference }) => reference === id)).toHaveLength(1);
      // Nothing was charged for a session that is not paid.
      expect(approved).toHaveLength(begun);
    },
    part: partOf,
    startLike,
    async replaceApis() {
      for (const old of apis) {
        const name = `${old}-next`;
        await startLike(old, name);
        apis = apis.map((each) => (each === old ? name : each));
        stack.front()?.use(apis.map(portOf));
        if (partOf(old).isRunning()) expect((await partOf(old).stop()).code).toBe(0);
      }
    },
    stop,
  };
}

interface PaidEvent {
  readonly type: string;
  readonly payment: { readonly id: string };
  readonly checkout: { readonly id: string } | null;
}

async function json(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

/** As a merchant's server: again if there was no answer, which leaves at most an unpaid session behind. */
async function create(
  { apiUrl, merchant, products }: DevJson,
  { apiKey, productId }: Shop = { apiKey: merchant.apiKey, productId: products.oneTime },
): Promise<{ id: string; hostedUrl: string }> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const response = await fetch(`${apiUrl}/v1/checkouts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ productId, externalCustomerId: randomUUID() }),
    }).catch(() => undefined);
    if (response?.status === 201) return (await response.json()) as { id: string; hostedUrl: string };
    const isFinal = response !== undefined && response.status < 500;
    if (isFinal || Date.now() > deadline)
      throw new Error(`no session: ${response?.status} ${await response?.text()}`);
    await pause(100);
  }
}
