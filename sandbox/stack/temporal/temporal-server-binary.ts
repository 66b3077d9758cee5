/**
 * Builds the Temporal server that production runs, and its SQL tool, with Go from their module: once per user, about
 * five minutes on 2 cores. The development server of `temporal-binary.ts` is another build, on SQLite.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Progress } from '../core/progress.ts';
import { GO_ENV, hasTool, runTool } from '../process/tool.ts';

/** Same as in docker-compose.yml. */
const VERSION = '1.32.0';
const MODULE = 'go.temporal.io/server';

export interface ServerPrograms {
  readonly server: string;
  readonly sqlTool: string;
}

export interface ServerProgramsOptions {
  readonly cacheDir: string;
  readonly progress: Progress;
}

/** @throws Error if the programs are not built yet and cannot be */
export async function findTemporalServer(options: ServerProgramsOptions): Promise<ServerPrograms> {
  const dir = join(options.cacheDir, `temporal-server-${VERSION}`);
  if (!existsSync(dir)) await buildInto(dir, options.progress);
  // Named by `go install` after their folders, cmd/server and cmd/tools/sql.
  return { server: join(dir, 'server'), sqlTool: join(dir, 'sql') };
}

async function buildInto(dir: string, progress: Progress): Promise<void> {
  if (!(await hasTool('go', 'version'))) {
    throw new Error(
      'Temporal on PostgreSQL is built from source: install Go (https://go.dev/doc/install),\n' +
        'or use the development server.',
    );
  }
  await mkdir(dirname(dir), { recursive: true });
  // Use a temporary directory and a rename, so that concurrent runs do not interfere.
  const workDir = await mkdtemp(`${dir}.getting-`);
  const packages = ['cmd/server', 'cmd/tools/sql'].map((path) => `${MODULE}/${path}@v${VERSION}`);
  try {
    await progress.step(
      'Building the Temporal server with Go (about 5 minutes on 2 cores, once)',
      () => runTool('go', ['install', ...packages], { env: { ...GO_ENV, GOBIN: workDir } }),
      { announce: true },
    );
    await rename(workDir, dir).catch((error) => {
      if (!existsSync(dir)) throw error;
    });
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}
