/** Where a stack keeps data that outlives its run, and how all of it is deleted. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { endPostgresLeftIn } from './postgres/postgres.ts';
import { endTemporalLeftOn } from './temporal/temporal-dev.ts';
import { endTemporalServerLeftIn } from './temporal/temporal-postgres.ts';

interface StackDirs {
  readonly localDir: string;
  /** Databases and received events, if not in `localDir`: a database belongs to one Temporal server. */
  readonly dataDir?: string;
}

/** Removes the data, keys and ports of earlier runs. */
export async function deleteAll(dirs: StackDirs): Promise<void> {
  const files = filesIn(dirs);
  await endLeftovers(files);
  for (const file of Object.values(files)) rmSync(file, { recursive: true, force: true });
  for (const suffix of ['-journal', '-wal', '-shm']) rmSync(files.temporal + suffix, { force: true });
}

/** After a SIGKILL, the last run's programs may still run. */
export async function endLeftovers(files: ReturnType<typeof filesIn>): Promise<void> {
  const { postgres, railPostgres, temporalPostgres, temporal, temporalServer } = files;
  await Promise.all([
    ...[postgres, railPostgres, temporalPostgres].map(endPostgresLeftIn),
    endTemporalLeftOn(temporal),
    endTemporalServerLeftIn(temporalServer),
  ]);
}

export function filesIn({ localDir, dataDir = localDir }: StackDirs) {
  return {
    devJson: join(localDir, 'dev.json'),
    secrets: join(localDir, 'secrets.json'),
    ports: join(localDir, 'ports.json'),
    postgres: join(dataDir, 'postgres'),
    baseline: join(dataDir, 'baseline.json'),
    temporal: join(dataDir, 'temporal.db'),
    temporalServer: join(dataDir, 'temporal-server'),
    temporalPostgres: join(dataDir, 'temporal-postgres'),
    railPostgres: join(dataDir, 'rail-postgres'),
    shop: join(dataDir, 'shop'),
    identity: join(dataDir, 'identity'),
    observe: join(localDir, 'observe'),
  };
}
