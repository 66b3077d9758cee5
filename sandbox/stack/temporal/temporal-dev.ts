/** Runs the Temporal development server with our workflows' search attributes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { endLeftovers } from '../process/leftovers.ts';
import { type Part, type StartProgram, startForeignPart } from '../process/part.ts';

const READY_WITHIN_MS = 120_000;

export const SEARCH_ATTRIBUTES = {
  MerchantId: 'Keyword',
  Environment: 'Keyword',
  LifecycleState: 'Keyword',
  NeedsOperator: 'Bool',
  NextActionAt: 'Datetime',
} as const;

/**
 * Fairness between merchants, as in deploy/temporal/dynamic-config.yaml. It works only within a partition, so each
 * queue has a single one.
 */
const MERCHANTS_TAKE_TURNS = [
  'matching.enableFairness=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
];

/**
 * Lifts a limit: the server loads a shard's tasks at most 20 times a second, and the development server has a
 * single shard (measured: 45 ms delay on average, 3 ms without the limit). Eager dispatch: an activity for
 * which the worker has a slot comes with the response to its workflow task.
 */
const AT_ONCE = [
  'history.transferProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxPollRPS=2000',
  'history.visibilityProcessorMaxPollRPS=2000',
  'system.enableActivityEagerExecution=true',
];

export interface TemporalOptions {
  readonly binary: string;
  readonly port: number;
  /** If absent, no web interface. */
  readonly uiPort?: number;
  /** If absent, in memory only. */
  readonly dbFile?: string;
  readonly start?: StartProgram;
}

export interface TemporalServer {
  readonly part: Part;
  readonly address: string;
}

export async function startTemporal(options: TemporalOptions): Promise<TemporalServer> {
  const { binary, port, uiPort, dbFile, start = startForeignPart } = options;
  if (dbFile) await endTemporalLeftOn(dbFile);
  const attributes = Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => [
    '--search-attribute',
    `${name}=${type}`,
  ]);
  const part = start({
    name: 'temporal',
    command: binary,
    args: [
      'server',
      'start-dev',
      '--ip',
      '127.0.0.1',
      '--port',
      `${port}`,
      '--log-level',
      'warn',
      ...[...MERCHANTS_TAKE_TURNS, ...AT_ONCE].flatMap((setting) => ['--dynamic-config-value', setting]),
      ...(dbFile ? ['--db-filename', dbFile] : []),
      ...(uiPort ? ['--ui-port', `${uiPort}`] : ['--headless']),
      ...attributes,
    ],
  });
  const address = `127.0.0.1:${port}`;
  await untilReady(part, address);
  return { part, address };
}

/** Ends an earlier run's server on this file. */
export function endTemporalLeftOn(dbFile: string): Promise<void> {
  return endLeftovers(`--db-filename ${dbFile} `, 'SIGTERM');
}

/** Ready means that the default namespace is usable; the port opens earlier. */
export async function untilReady(part: Part, address: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    if (!part.isRunning())
      throw new Error(`The Temporal server exited immediately:\n${part.lastLines().join('\n')}`);
    try {
      await canListWorkflows(address);
      return;
    } catch (error) {
      if (Date.now() > deadline) {
        await part.stop();
        throw new Error(`The Temporal server is not ready after ${READY_WITHIN_MS / 1_000} s.`, {
          cause: error,
        });
      }
      await sleep(100);
    }
  }
}

async function canListWorkflows(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '2 seconds' });
  try {
    await connection.workflowService.countWorkflowExecutions({ namespace: 'default' });
  } finally {
    await connection.close();
  }
}
