/** The stack of `npm run stack -- --temporal=postgres` in a temporary folder, with a merchant's server that buys on it. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { prepareDatabase } from '../../../bin/prepare-database.ts';
import { payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import type { LedgerEntry } from '../../../sandbox/rail/db/ledger.ts';
import { cacheDir } from '../../../sandbox/stack/core/directories.ts';
import type { DevJson } from '../../../sandbox/stack/dev-json.ts';
import type { Part } from '../../../sandbox/stack/process/part.ts';
import { createSupervisor } from '../../../sandbox/stack/process/supervise.ts';
import type { HowMany } from '../../../sandbox/stack/replicas.ts';
import { createStack } from '../../../sandbox/stack/stack.ts';
import { eventually } from '../../support/core/eventually.ts';

const FAST_AND_FORGETFUL = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const PATIENCE_MS = 60_000;

export interface DistributedStack {
  readonly dev: DevJson;
  readonly processes: NonNullable<DevJson['processes']>;
  /** Buys as a merchant and a buyer do, repeating requests that failed. @returns the session's id, which is paid */
  buy(): Promise<string>;
  /** Resolves when so many more purchases have begun. */
  purchases(count: number): Promise<void>;
  /** Each session has one approved charge at the rail, and the shop has one `payment.succeeded` for each. */
  chargedOnceEach(sessionIds: readonly string[]): Promise<void>;
  kill(part: string): void;
  stop(): Promise<void>;
}

export async function startDistributed(howMany: HowMany): Promise<DistributedStack> {
  const localDir = await mkdtemp(join(tmpdir(), 'checkout-distributed-'));
  const parts = new Map<string, Part>();
  const keep = (part: Part) => {
    parts.set(part.name, part);
    return part;
  };
  const supervisor = createSupervisor({ logsDir: join(localDir, 'logs'), onProblem: () => {} });
  const stack = createStack({
    env: {},
    localDir,
    cacheDir: cacheDir(process.env),
    progress: { step: (_what, work) => work(), note: () => {} },
    supervisor: {
      ...supervisor,
      startPart: (spec) => keep(supervisor.startPart(spec)),
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
  return {
    dev,
    processes: dev.processes as NonNullable<DevJson['processes']>,
    async buy() {
      begun += 1;
      const { id, hostedUrl } = await create(dev);
      const { report, problem } = await payAsBuyer({
        hostedUrl,
        card: '4242424242424242',
        email: 'buyer@example.com',
        challenge: 'approve',
        timeoutSeconds: PATIENCE_MS / 1_000,
      });
      expect({ ...report, problem }).toMatchObject({ state: 'succeeded', attempts: 1, problem: null });
      return id;
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
    kill(name) {
      const part = parts.get(name);
      if (!part) throw new Error(`there is no part ${name}`);
      part.kill('SIGKILL');
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
async function create({ apiUrl, merchant, products }: DevJson): Promise<{ id: string; hostedUrl: string }> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const response = await fetch(`${apiUrl}/v1/checkouts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ productId: products.oneTime, externalCustomerId: randomUUID() }),
    }).catch(() => undefined);
    if (response?.status === 201) return (await response.json()) as { id: string; hostedUrl: string };
    const isFinal = response !== undefined && response.status < 500;
    if (isFinal || Date.now() > deadline)
      throw new Error(`no session: ${response?.status} ${await response?.text()}`);
    await pause(100);
  }
}
