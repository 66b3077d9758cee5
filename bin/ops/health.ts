/** Checks each part of the service, in the order in which one part's failure explains the next. */
import type { Client } from '@temporalio/client';
import { LATE_AFTER_SECONDS, secondsSinceSweep } from '../../db/core/heartbeats.ts';
import type { Pool } from '../../db/core/pool.ts';
import { readServerFacts } from '../../db/operations/locks.ts';
import { temporalFailure } from '../../platform/temporal/grpc-code.ts';
import { isServed, type QueueState, readQueues } from '../../platform/temporal/queue-states.ts';
import { type OpsCommand, type OpsContext, parseOpsArgs } from './core/command.ts';
import { printTable, shortAge } from './core/table.ts';

const TIMEOUT_MS = 5_000;
const HANGING_AFTER_SECONDS = 20;

interface Part {
  readonly part: string;
  readonly ok: boolean;
  readonly said: string;
}

export const health: OpsCommand = {
  usage: 'health [<address> …]',

  help: `Checks PostgreSQL, the sweep, Temporal, the workers of each queue, and the API, and waits at most
five seconds for each. It works while any of them is down. At addresses such as http://10.0.0.7:8081, of a worker for
example, it requests /healthz, too.
Exit code: 0 if every part works, 1 if not, 2 for invalid arguments.`,

  async run(args, { pool, temporal, processes }) {
    const database = await Promise.all([databasePart(pool), sweepPart(pool)]);
    return show(args, [...database, ...(await otherParts(args, temporal, processes))]);
  },

  async withoutDatabase(args, { temporal, processes }, problem) {
    const database = { part: 'postgresql', ok: false, said: problem };
    return show(args, [database, ...(await otherParts(args, temporal, processes))]);
  },
};

function read(args: readonly string[]) {
  const { values, positionals } = parseOpsArgs(args, {});
  return { json: values.json, addresses: positionals };
}

function show(args: readonly string[], parts: readonly Part[]): number {
  if (read(args).json) console.log(JSON.stringify(parts));
  else
    printTable(
      ['PART', 'STATE', 'ANSWER'],
      parts.map(({ part, ok, said }) => [part, ok ? 'ok' : 'DOWN', said]),
    );
  return parts.every(({ ok }) => ok) ? 0 : 1;
}

async function otherParts(
  args: readonly string[],
  temporal: Client,
  processes: OpsContext['processes'],
): Promise<readonly Part[]> {
  const asked = [...processes, ...read(args).addresses.map((url) => ({ name: url, url }))];
  return (
    await Promise.all([temporalParts(temporal), ...asked.map(async (each) => [await httpPart(each)])])
  ).flat();
}

async function databasePart(pool: Pool): Promise<Part> {
  return answered('postgresql', async () => {
    const { connections, most, started_at: since, money_may_move, waiting } = await readServerFacts(pool);
    const said = `${connections} of ${most} connections, up since ${since}`;
    if (waiting > 0)
      return [false, `${said}; statements that wait for a lock: ${waiting}; next: npm run ops -- locks`];
    return money_may_move ? [true, said] : [false, `${said}; no money may move: npm run ops -- list`];
  });
}

async function sweepPart(pool: Pool): Promise<Part> {
  return answered('sweep', async () => {
    const seconds = await secondsSinceSweep(pool);
    const said = `last round ${shortAge(Math.round(seconds))} ago`;
    return seconds > LATE_AFTER_SECONDS ? [false, `${said}: npm run ops -- sweep`] : [true, said];
  });
}

async function temporalParts(temporal: Client): Promise<readonly Part[]> {
  const begun = Date.now();
  const queues = await readQueues(temporal, TIMEOUT_MS).catch((error: Error) => error);
  if (queues instanceof Error)
    return [
      {
        part: 'temporal',
        ok: false,
        said: `no answer within ${TIMEOUT_MS / 1_000} s: ${temporalFailure(queues) ?? queues.message}`,
      },
    ];
  return [{ part: 'temporal', ok: true, said: `answered in ${Date.now() - begun} ms` }, workersPart(queues)];
}

/** A hung worker counts as polling for a minute: the age of the oldest task reveals it sooner. */
function workersPart(queues: readonly QueueState[]): Part {
  const missing = [...new Set(queues.filter((each) => !isServed(each)).map(({ queue }) => queue))];
  const workers = [...new Set(queues.flatMap((each) => each.workers))];
  const seen = `polled in the last minute: ${workers.join(', ') || 'none'}`;
  const part = 'workers';
  if (missing.length > 0)
    return { part, ok: false, said: `no worker takes tasks of ${missing.join(', ')}; ${seen}` };
  const late = queues.filter(({ oldest_seconds: age }) => age > HANGING_AFTER_SECONDS);
  if (late.length === 0) return { part, ok: true, said: `${workers.length}: ${workers.join(', ')}` };
  const oldest = Math.max(...late.map(({ oldest_seconds: age }) => age));
  const names = [...new Set(late.map(({ queue }) => queue))].join(', ');
  return {
    part,
    ok: false,
    said: `tasks of ${names} wait, the oldest for ${shortAge(oldest)}: workers hang, or are too few; ${seen}`,
  };
}

async function httpPart({ name, url }: OpsContext['processes'][number]): Promise<Part> {
  return answered(name, async () => {
    const response = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body = await response.text();
    return [response.ok, `${response.status} ${body.slice(0, 200)}`];
  });
}

async function answered(part: string, ask: () => Promise<readonly [boolean, string]>): Promise<Part> {
  try {
    const [ok, said] = await ask();
    return { part, ok, said };
  } catch (error) {
    const { message, cause } = error as Error;
    return { part, ok: false, said: cause instanceof Error ? `${message}: ${cause.message}` : message };
  }
}
