/** Checks each part of the service, in the order in which one part's failure explains the next. */
import type { Client } from '@temporalio/client';
import { LATE_AFTER_SECONDS, secondsSinceSweep } from '../../db/core/heartbeats.ts';
import type { Pool } from '../../db/core/pool.ts';
import { readServerFacts } from '../../db/operations/locks.ts';
import { readFailingNow } from '../../db/webhook/endpoint-failure.ts';
import { temporalFailure } from '../../platform/temporal/grpc-code.ts';
import {
  namesOf,
  type QueueState,
  readQueues,
  unserved,
  whyTasksWait,
} from '../../platform/temporal/queue-states.ts';
import { type OpsCommand, type OpsContext, parseOpsArgs } from './core/command.ts';
import { printTable, shortAge } from './core/table.ts';

/** The maximum number of failing endpoints to name. */
const NAMED = 3;
const TIMEOUT_MS = 5_000;

/** The section of the runbook for each part that is DOWN, under the name that alerts and `list` use. */
export const SECTIONS = {
  postgresql: 'CheckoutDatabaseDown',
  locks: 'CheckoutPoolExhausted',
  fence: 'database_fenced',
  sweep: 'sweep_late',
  temporal: 'temporal_unavailable',
  workers: 'workers_missing',
  process: 'CheckoutTargetDown',
} as const;

type Section = (typeof SECTIONS)[keyof typeof SECTIONS];

interface Part {
  readonly part: string;
  /** Null if the part was not checked. */
  readonly ok: boolean | null;
  readonly said: string;
  /** The runbook's section for a part that is DOWN. */
  readonly section?: Section;
}

type Facts = Awaited<ReturnType<typeof readServerFacts>>;

export const health: OpsCommand = {
  usage: 'health [<address> …]',

  help: `Checks PostgreSQL, the sweep, Temporal, the workers of each queue, and the API, and waits at most
five seconds for each; names the merchants' endpoints that fail now, and the section of the runbook for each part that
is DOWN. It works while any of them is down. At addresses such as http://10.0.0.7:8081, of a worker for example, it
requests /healthz, too.
Exit code: 0 if every part could be checked (none shows "?") and works, 1 if not, 2 for invalid arguments.`,

  async run(args, { pool, temporal, processes }) {
    const [facts, sweep, endpoints] = await Promise.all([
      readServerFacts(pool).catch((error: Error) => error),
      sweepPart(pool),
      endpointsPart(pool),
    ]);
    return show(args, [
      databasePart(facts),
      sweep,
      ...(await otherParts(args, temporal, processes, !(facts instanceof Error))),
      endpoints,
    ]);
  },

  async withoutDatabase(args, { temporal, processes }, problem) {
    const database = databasePart(new Error(problem));
    return show(args, [database, ...(await otherParts(args, temporal, processes, false))]);
  },
};

function read(args: readonly string[]) {
  const { values, positionals } = parseOpsArgs(args, Number.POSITIVE_INFINITY, {});
  return { json: values.json, addresses: positionals };
}

function show(args: readonly string[], parts: readonly Part[]): number {
  if (read(args).json) console.log(JSON.stringify(parts));
  else
    printTable(
      ['PART', 'STATE', 'ANSWER'],
      parts.map(({ part, ok, said, section }) => [
        part,
        ok === null ? '?' : ok ? 'ok' : 'DOWN',
        section ? `${section}: ${said}` : said,
      ]),
    );
  return parts.every(({ ok }) => ok) ? 0 : 1;
}

async function otherParts(
  args: readonly string[],
  temporal: Client,
  processes: OpsContext['processes'],
  hasDatabase: boolean,
): Promise<readonly Part[]> {
  const asked = [...processes, ...read(args).addresses.map((url) => ({ name: url, url }))];
  return (
    await Promise.all([
      temporalParts(temporal, hasDatabase),
      ...asked.map(async (each) => [await httpPart(each)]),
    ])
  ).flat();
}

function databasePart(facts: Facts | Error): Part {
  const part = 'postgresql';
  if (facts instanceof Error) return silent(part, SECTIONS.postgresql, facts);
  const { connections, most, started_at: since, money_may_move, waiting } = facts;
  const said = `${connections} of ${most} connections, up since ${since}`;
  if (waiting > 0)
    return {
      part,
      ok: false,
      said: `${said}; statements that wait for a lock: ${waiting}; next: npm run ops -- locks`,
      section: SECTIONS.locks,
    };
  return money_may_move
    ? { part, ok: true, said }
    : { part, ok: false, said: `${said}; no money may move: npm run ops -- list`, section: SECTIONS.fence };
}

async function sweepPart(pool: Pool): Promise<Part> {
  return answered('sweep', SECTIONS.sweep, async () => {
    const seconds = await secondsSinceSweep(pool);
    const said = `last round ${shortAge(Math.round(seconds))} ago`;
    return seconds > LATE_AFTER_SECONDS ? [false, `${said}: npm run ops -- sweep`] : [true, said];
  });
}

/** For information only: an endpoint that fails is not a failure of the service. */
async function endpointsPart(pool: Pool): Promise<Part> {
  const part = 'endpoints';
  const found = await readFailingNow(pool, NAMED).catch((error: Error) => error);
  if (found instanceof Error) return { part, ok: null, said: found.message };
  const more = found.failing - found.longest.length;
  const named = [...found.longest, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return { part, ok: true, said: found.failing === 0 ? 'none fails' : `${found.failing} failing: ${named}` };
}

async function temporalParts(temporal: Client, hasDatabase: boolean): Promise<readonly Part[]> {
  const begun = Date.now();
  const queues = await readQueues(temporal, TIMEOUT_MS).catch((error: Error) => error);
  if (queues instanceof Error) {
    const said = `no answer within ${TIMEOUT_MS / 1_000} s: ${temporalFailure(queues) ?? queues.message}`;
    const section = SECTIONS.temporal;
    return [{ part: 'temporal', ok: false, said, section }, notJudged('workers', 'Temporal')];
  }
  return [
    { part: 'temporal', ok: true, said: `answered in ${Date.now() - begun} ms` },
    hasDatabase ? workersPart(queues) : notJudged('workers', 'PostgreSQL'),
  ];
}

/** Running workers stop polling once all their activities wait for PostgreSQL. */
function notJudged(part: string, outage: string): Part {
  return { part, ok: null, said: `not checked while ${outage} is DOWN` };
}

export function workersPart(queues: readonly QueueState[]): Part {
  const { missing, late } = unserved(queues);
  const workers = [...new Set(queues.flatMap((each) => each.workers))];
  const seen = `polled in the last minute: ${workers.join(', ') || 'none'}`;
  const [part, section] = ['workers', SECTIONS.workers];
  if (missing.length > 0) {
    const said = `no worker takes tasks of ${namesOf(missing)}; ${seen}`;
    return { part, ok: false, said, section };
  }
  if (late.length === 0) return { part, ok: true, said: `${workers.length}: ${workers.join(', ')}` };
  const oldest = Math.max(...late.map(({ oldest_seconds: age }) => age));
  const waits = `tasks of ${namesOf(late)} wait, the oldest for ${shortAge(oldest)}`;
  return { part, ok: false, said: `${waits}; ${whyTasksWait(queues, late)}; ${seen}`, section };
}

async function httpPart({ name, url }: OpsContext['processes'][number]): Promise<Part> {
  return answered(name, SECTIONS.process, async () => {
    const response = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body = await response.text();
    return [response.ok, `${response.status} ${body.slice(0, 200)}`];
  });
}

async function answered(
  part: string,
  section: Section,
  ask: () => Promise<readonly [boolean, string]>,
): Promise<Part> {
  try {
    const [ok, said] = await ask();
    return ok ? { part, ok, said } : { part, ok, said, section };
  } catch (error) {
    return silent(part, section, error as Error);
  }
}

function silent(part: string, section: Section, { message, cause }: Error): Part {
  return {
    part,
    ok: false,
    said: cause instanceof Error ? `${message}: ${cause.message}` : message,
    section,
  };
}
