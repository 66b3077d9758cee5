/** The whole service for a benchmark, as `npm start` runs it, in a directory that is removed afterwards. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareDatabase } from '../../../bin/prepare-database.ts';
import { cacheDir } from '../../../sandbox/stack/core/directories.ts';
import { createProgress } from '../../../sandbox/stack/core/progress.ts';
import type { DevJson } from '../../../sandbox/stack/dev-json.ts';
import type { Part } from '../../../sandbox/stack/process/part.ts';
import { createSupervisor, describeEnd } from '../../../sandbox/stack/process/supervise.ts';
import type { HowMany } from '../../../sandbox/stack/replicas.ts';
import { createStack } from '../../../sandbox/stack/stack.ts';

const ONE_OF_EACH: HowMany = { apis: 1, workers: 1 };

export interface Place {
  readonly dev: DevJson;
  /** Process ids by part: api, worker, worker-2, rail, shop, postgres, temporal and so on. */
  readonly pids: Readonly<Record<string, number>>;
  /** Connection strings by the program that uses the database. */
  readonly databases: { readonly service: string; readonly temporal: string | null };
  /** Rejects when a part exits unexpectedly. */
  readonly broken: Promise<never>;
  end(): Promise<void>;
}

export interface PlaceOptions {
  readonly temporalOnPostgres: boolean;
  /** Loads pg_stat_statements, which costs some CPU time. */
  readonly countStatements: boolean;
  /** If absent, one of each. */
  readonly howMany?: HowMany;
}

export async function openPlace({
  temporalOnPostgres,
  countStatements,
  howMany = ONE_OF_EACH,
}: PlaceOptions): Promise<Place> {
  const localDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const parts: Part[] = [];
  const keep = (part: Part) => {
    parts.push(part);
    return part;
  };
  const supervisor = createSupervisor({ logsDir: join(localDir, 'logs'), onProblem: console.error });
  const stack = createStack({
    env: process.env,
    localDir,
    cacheDir: cacheDir(process.env),
    progress: createProgress(console.error),
    supervisor: {
      ...supervisor,
      startPart: (spec) => keep(supervisor.startPart(spec)),
      startProgram: (program) => keep(supervisor.startProgram(program)),
    },
    prepareDatabase,
    temporalOnPostgres,
    // With one of each, runs the same stack as `npm start`, which has no load balancer.
    ...(howMany.apis + howMany.workers > 2 && { howMany }),
    railDatabaseApart: true,
    postgresSettings: {
      shared_buffers: '256MB',
      ...(countStatements && { shared_preload_libraries: 'pg_stat_statements' }),
    },
  });
  const end = async () => {
    await stack.stop();
    // A part that has just ended may still be writing its last files.
    await rm(localDir, { recursive: true, force: true, maxRetries: 10 });
  };
  const broken = supervisor.failure.then((ended) => {
    throw new Error(describeEnd(ended));
  });
  broken.catch(() => {});
  try {
    const dev = await Promise.race([stack.start(), broken]);
    return {
      dev,
      pids: Object.fromEntries(parts.map(({ name, pid }) => [name, pid])),
      databases: { service: dev.databaseUrl, temporal: stack.temporalDatabaseUrl() },
      broken,
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
