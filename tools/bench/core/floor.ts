/** Starts the floor's worker, and sends its workflows the same messages as the service's API sends to a session. */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { BARE_QUEUE, type bareFlow, payUpdate } from './bare-workflows.ts';
import { type Contestant, inParallel, stopwatch } from './load.ts';
import type { Place } from './place.ts';

const DELAY = '30 minutes';

export interface Drained {
  /** Time from the expiry to the end of the last workflow. */
  readonly seconds: number;
  /** How long after its expiry each workflow ended, ascending. */
  readonly lateMs: readonly number[];
}

export interface Floor {
  readonly pid: number;
  readonly flow: Contestant;
  start(): Promise<unknown>;
  /**
   * Starts workflows that end at a Unix time. Resolves when they are started; `drained` after the last has ended.
   * @throws Error if that time passed before they were started
   */
  expireAt(atMs: number, count: number): Promise<{ readonly drained: Promise<Drained> }>;
  /** Only the update, on workflows that were started before the round. */
  readonly update: Contestant;
  end(): Promise<void>;
}

export async function openFloor({ dev }: Place): Promise<Floor> {
  const { worker, exited } = await startWorker(dev.temporalAddress);
  const connection = await Connection.connect({ address: dev.temporalAddress });
  const client = new Client({ connection });

  async function start() {
    return client.workflow.start<typeof bareFlow>('bareFlow', {
      args: [],
      taskQueue: BARE_QUEUE,
      workflowId: `bare-${randomUUID()}`,
      startDelay: DELAY,
    });
  }

  const waiting: Awaited<ReturnType<typeof start>>[] = [];
  return {
    pid: worker.pid ?? 0,
    flow: {
      name: 'bare flow',
      async act() {
        return click(await start());
      },
    },
    start,
    async expireAt(atMs, count) {
      const lateMs: number[] = [];
      const drained = new Promise<Drained>((resolve) => {
        const listen = (message: unknown) => {
          if (message !== 'expired' || lateMs.push(Date.now() - atMs) < count) return;
          worker.off('message', listen);
          resolve({ seconds: (lateMs.at(-1) ?? 0) / 1_000, lateMs });
        };
        worker.on('message', listen);
      });
      await inParallel(count, () =>
        client.workflow.start('bareExpiry', {
          taskQueue: BARE_QUEUE,
          workflowId: `bare-${randomUUID()}`,
          startDelay: Math.max(0, atMs - Date.now()),
        }),
      );
      if (Date.now() > atMs) throw new Error('starting the bare workflows took too long: raise --lead');
      return { drained: Promise.race([drained, exited]) };
    },
    update: {
      name: 'bare update',
      async prepare(operations) {
        waiting.push(...(await inParallel(operations, start)));
      },
      async act() {
        const handle = waiting.pop();
        if (!handle) throw new Error('more updates than workflows');
        return click(handle);
      },
    },
    async end() {
      await connection.close();
      worker.kill('SIGKILL');
    },
  };
}

/** @returns the worker once it polls; `exited` rejects when it ends */
async function startWorker(temporalAddress: string) {
  const worker = fork(join(import.meta.dirname, 'bare-worker.ts'), {
    env: { ...process.env, BENCH_TEMPORAL_ADDRESS: temporalAddress },
  });
  const exited = once(worker, 'exit').then(([code]) => {
    throw new Error(`the bare workflows' worker exited with code ${code}`);
  });
  exited.catch(() => {});
  await Promise.race([once(worker, 'message'), exited]);
  return { worker, exited };
}

async function click(handle: WorkflowHandle) {
  const sinceUpdate = stopwatch();
  await handle.executeUpdate(payUpdate);
  return { 'click to answer': sinceUpdate() };
}
