/** Breaks something, waits, repairs it, and begins again; what and when follows from the seed. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { openTemporal } from '../../../temporal/client.ts';
import { resolveDoubts, tellLies } from './people-and-lies.ts';
import type { Place } from './place.ts';
import type { Random } from './random.ts';
import { elapsed, now, type Recorder } from './record.ts';

interface Blow {
  readonly kind: string;
  /** @returns what was hit, in words */
  strike(): Promise<string>;
}

/** Longer than every time-out of a call to the rail and of a workflow task. */
const FROZEN_MS = [6_000, 14_000] as const;
const RAIL_FAULTS = [
  'drop-before',
  'drop-after',
  'delay',
  'delay-after',
  '500',
  '429',
  'lock',
  'truncate',
  'garbage',
];
const RAIL_OPERATIONS = ['authorize', 'lookup', 'cancel', 'chargeStored', 'refund', 'lookupRefund', '*'];
const RUBBISH = [
  null,
  [],
  { paymentId: 7 },
  { paymentId: 'ap_pay_0' },
  'x'.repeat(10_000),
  { outcome: 'succeeded' },
];
const SIGNALS = ['railNews', 'resolveRequested', 'wake', 'no such signal'];

export interface AdversaryOptions {
  readonly place: Place;
  readonly recorder: Recorder;
  readonly random: Random;
  readonly faults: number;
  /** Spread over this time. */
  readonly withinMs: number;
  readonly restores: boolean;
  /** Kinds whose name contains this text; absent: all. */
  readonly only: string | undefined;
  readonly tell: (line: string) => void;
}

export async function attack(options: AdversaryOptions): Promise<void> {
  const { place, recorder, random, faults, withinMs, tell } = options;
  const client = openTemporal({ address: `127.0.0.1:${place.temporal.port}`, namespace: 'default' });
  const blows = blowsOf(options, client).filter(({ kind }) => kind.includes(options.only ?? ''));
  const start = performance.now();
  // Every kind comes before any comes twice.
  let bag: Blow[] = [];
  try {
    for (let n = 0; n < faults; n++) {
      const due = start + (withinMs * (n + random.next())) / faults;
      await pause(Math.max(0, due - performance.now()));
      if (bag.length === 0) bag = [...blows];
      const [blow] = bag.splice(Math.floor(random.next() * bag.length), 1);
      if (!blow) break;
      const at = now();
      const what = await blow.strike().catch((error: Error) => `failed: ${error.message}`);
      recorder.faults.push({ kind: blow.kind, what, at, until: now() });
      tell(`fault ${n + 1} of ${faults}: ${blow.kind}, ${what}`);
    }
  } finally {
    for (const link of place.links) link.heal();
    place.receiver.behave(200, 0);
    await clearRailFaults(place).catch(() => {});
    await client.connection.close();
  }
}

function blowsOf({ place, recorder, random, restores }: AdversaryOptions, client: Client): readonly Blow[] {
  const { links, database, temporal } = place;
  const processes = [...place.apis, ...place.workers, place.rail];
  const serving = [...place.apis, ...place.workers];
  const measure = async (what: string, work: () => Promise<unknown>) => {
    const since = performance.now();
    await work();
    recorder.recoveries.push({ what, ms: elapsed(since) });
  };
  const kill = async (of: readonly (typeof processes)[number][]) => {
    const victim = random.pick(of);
    victim.kill();
    await measure(`${victim.name} is killed, until it is healthy`, () => victim.untilHealthy(60_000));
    return victim.name;
  };
  const onLink = async (how: (link: (typeof links)[number]) => void, least: number, most: number) => {
    const link = random.pick(links);
    how(link);
    await pause(random.between(least, most));
    link.heal();
    return link.name;
  };
  const saleAfter = (what: string) => measure(`${what}, until a session is created`, () => untilSale(place));
  const blows: Blow[] = [
    { kind: 'SIGKILL of a worker', strike: () => kill(place.workers) },
    { kind: 'SIGKILL of an API', strike: () => kill(place.apis) },
    { kind: 'SIGKILL of anything', strike: () => kill(processes) },
    {
      kind: 'SIGKILL of both workers',
      async strike() {
        for (const worker of place.workers) worker.kill();
        await measure('both workers are killed, until one is healthy', () =>
          Promise.race(place.workers.map((worker) => worker.untilHealthy(60_000))),
        );
        return 'both';
      },
    },
    {
      kind: 'SIGSTOP',
      async strike() {
        const victim = random.pick(serving);
        victim.freeze();
        await pause(random.between(...FROZEN_MS));
        victim.thaw();
        return victim.name;
      },
    },
    {
      kind: 'PostgreSQL crashes',
      async strike() {
        await database.crash();
        await saleAfter('PostgreSQL crashes');
        return 'and recovers';
      },
    },
    {
      kind: 'Temporal stops',
      async strike() {
        await temporal.stop();
        await pause(random.between(1_000, 15_000));
        await temporal.start();
        return 'and starts';
      },
    },
    { kind: 'a connection is cut', strike: () => onLink((link) => link.cut(), 2_000, 8_000) },
    { kind: 'a connection freezes', strike: () => onLink((link) => link.freeze(), 3_000, 12_000) },
    {
      kind: 'a connection is slow',
      strike: () => onLink((link) => link.slow(random.between(50, 700)), 4_000, 10_000),
    },
    {
      kind: 'the rail fails',
      async strike() {
        const fault = {
          operation: random.pick(RAIL_OPERATIONS),
          mode: random.pick(RAIL_FAULTS),
          count: random.between(1, 6),
          delayMs: random.between(500, 6_000),
        };
        await putRailFault(place, fault);
        return JSON.stringify(fault);
      },
    },
    {
      kind: 'the receiver fails',
      async strike() {
        const status = random.pick([0, 500, 503, 302, 200]);
        const delayMs = random.pick([0, 0, 3_000, 6_000]);
        place.receiver.behave(status, delayMs);
        await pause(random.between(3_000, 9_000));
        place.receiver.behave(200, 0);
        return `${status} after ${delayMs} ms`;
      },
    },
    { kind: 'the rail lies', strike: () => tellLies(place, random) },
    { kind: 'an operator resolves', strike: () => resolveDoubts(place) },
    { kind: 'rubbish signals', strike: () => onRuns(client, random, sendRubbish(random)) },
    { kind: 'a run is terminated', strike: () => onRuns(client, random, terminate) },
    { kind: 'a run is reset', strike: () => onRuns(client, random, reset) },
  ];
  if (restores) {
    blows.push({
      kind: 'PostgreSQL is restored',
      async strike() {
        const target = new Date(Date.now() - random.between(4_000, 20_000)).toISOString();
        await database.restoreTo(target);
        recorder.restores.push({ at: now(), target });
        await saleAfter('PostgreSQL is restored');
        return `to ${target}`;
      },
    });
    if (temporal.copy && temporal.restore) {
      blows.push({
        kind: 'Temporal is restored',
        async strike() {
          await temporal.stop();
          await temporal.copy?.();
          await temporal.start();
          const forgottenMs = random.between(4_000, 20_000);
          await pause(forgottenMs);
          await temporal.stop();
          await temporal.restore?.();
          await temporal.start();
          return `${forgottenMs} ms are forgotten`;
        },
      });
    }
  }
  return blows;
}

type Run = { readonly workflowId: string; readonly runId: string };

/** Does it to a few runs of sessions, subscriptions, refunds and endpoints. */
async function onRuns(client: Client, random: Random, act: (client: Client, run: Run) => Promise<unknown>) {
  const found: Run[] = [];
  for await (const { workflowId, runId, type } of client.workflow.list({
    query: 'ExecutionStatus = "Running"',
  })) {
    if (type !== 'sweep' && type !== 'restore') found.push({ workflowId, runId });
    if (found.length >= 200) break;
  }
  const hit: string[] = [];
  for (let n = 0; n < 3 && found.length > 0; n++) {
    const run = random.pick(found);
    await act(client, run).catch((error: unknown) => {
      // It has ended meanwhile, or has no task to be reset to.
      if (!(error instanceof WorkflowNotFoundError || error instanceof Error)) throw error;
    });
    hit.push(run.workflowId);
  }
  return hit.join(', ') || 'none runs';
}

const sendRubbish =
  (random: Random) =>
  async (client: Client, { workflowId }: Run) => {
    const handle = client.workflow.getHandle(workflowId);
    for (let n = 0; n < 4; n++) await handle.signal(random.pick(SIGNALS), random.pick(RUBBISH));
  };

const terminate = (client: Client, { workflowId, runId }: Run) =>
  client.workflow.getHandle(workflowId, runId).terminate('fault harness');

async function reset(client: Client, { workflowId, runId }: Run): Promise<void> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const ended = (events ?? []).filter(({ workflowTaskCompletedEventAttributes: task }) => task);
  const to = ended[Math.floor(ended.length / 2)];
  if (!to?.eventId) return;
  await client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId, runId },
    reason: 'fault harness',
    requestId: `reset-${runId}`,
    workflowTaskFinishEventId: to.eventId,
  });
}

async function untilSale({ apiUrl, merchant, products }: Place): Promise<void> {
  const end = performance.now() + 120_000;
  while (performance.now() < end) {
    const status = await fetch(`${apiUrl}/v1/checkouts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ productId: products.oneTime, externalCustomerId: 'probe' }),
      signal: AbortSignal.timeout(5_000),
    }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 201) return;
    await pause(100);
  }
}

async function putRailFault({ railUrl }: Place, fault: object): Promise<void> {
  await fetch(`${railUrl}/admin/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
    signal: AbortSignal.timeout(5_000),
  });
}

async function clearRailFaults({ railUrl }: Place): Promise<void> {
  await fetch(`${railUrl}/admin/faults`, { method: 'DELETE', signal: AbortSignal.timeout(5_000) });
}
