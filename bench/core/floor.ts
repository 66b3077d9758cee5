/** Starts the floor's worker and acts on it as the service's API does on a session. */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { BARE_QUEUE, type bareFlow, payUpdate } from './bare-workflows.ts';
import { type Contestant, inParallel, stopwatch } from './load.ts';
import type { Place } from './place.ts';

const DELAY = '30 minutes';

export interface Floor {
  readonly pid: number;
  readonly flow: Contestant;
  start(): Promise<unknown>;
  /** The update alone, of workflows that were started before the round. */
  readonly update: Contestant;
  end(): Promise<void>;
}

export async function openFloor({ dev }: Place): Promise<Floor> {
  const worker = fork(join(import.meta.dirname, 'bare-worker.ts'), {
    env: { ...process.env, BENCH_TEMPORAL_ADDRESS: dev.temporalAddress },
  });
  const exited = once(worker, 'exit').then(([code]) => {
    throw new Error(`the floor's worker exited with code ${code}`);
  });
  exited.catch(() => {});
  await Promise.race([once(worker, 'message'), exited]);
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
        const handle = await start();
        const sinceUpdate = stopwatch();
        await handle.executeUpdate(payUpdate);
        return { 'click to answer': sinceUpdate() };
      },
    },
    start,
    update: {
      name: 'bare update',
      async prepare(operations) {
        waiting.push(...(await inParallel(operations, start)));
      },
      async act() {
        const handle = waiting.pop();
        if (!handle) throw new Error('more updates than workflows');
        const sinceUpdate = stopwatch();
        await handle.executeUpdate(payUpdate);
        return { 'click to answer': sinceUpdate() };
      },
    },
    async end() {
      await connection.close();
      worker.kill('SIGKILL');
    },
  };
}
