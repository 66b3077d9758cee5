/**
 * Builds Temporal's programs with Go, in one build that compiles the server once: production's server and its SQL tool,
 * and the development server (`dev-server/main.go`). Once per user, about three minutes on 2 cores.
 */
import { existsSync } from 'node:fs';
import { appendFile, cp, glob, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Progress } from '../core/progress.ts';
import { GO_ENV, hasTool, runTool } from '../process/tool.ts';

/** Same as in docker-compose.yml. */
const VERSION = '1.32.0';
const SERVER = 'go.temporal.io/server';
const SCALED_WORKERS = 'go.temporal.io/auto-scaled-workers';
/** The command line with this version of the server. */
const COMMAND_LINE = 'github.com/temporalio/cli@v1.9.1';
/** Modules that are changed before they are compiled, by their folder; Go changes none in its cache. */
const CHANGED = { server: `${SERVER}@v${VERSION}`, workers: `${SCALED_WORKERS}@v0.2.0-1.32.0.158.0` };
/** The parts of the command line that the development server needs. */
const NEEDED = ['go.mod', 'go.sum', 'internal/devserver'];
/** A module of the command line that is not published, and that the development server does not import. */
const UNPUBLISHED = 'cliext';
/**
 * Clients of cloud services, which run only if a server's configuration names one. 588 of 1,656 packages serve nothing
 * else.
 */
const CLOUDS = [
  'server/common/archiver/{gcloud,s3store}/*',
  'server/common/persistence/visibility/store/elasticsearch/client/aws.go',
  'workers/wci/workflow/compute_provider/{aws,gcp,k8s}*.go',
];
/** Stubs of these clients, for the rest of the server. */
const WITHOUT_CLOUDS = join(import.meta.dirname, 'without-clouds');
/**
 * As in the server's Makefile: leaves out the storage client's gRPC support, which takes 136 packages and 45 s of CPU
 * time.
 */
const TAGS = '-tags=disable_grpc_modules';
const DEV_SERVER = join(import.meta.dirname, 'dev-server');

export interface ServerPrograms {
  readonly server: string;
  readonly sqlTool: string;
  readonly devServer: string;
}

export interface ServerProgramsOptions {
  readonly cacheDir: string;
  readonly progress: Progress;
}

/** @throws Error if the programs are not built yet and cannot be */
export async function findTemporalServer(options: ServerProgramsOptions): Promise<ServerPrograms> {
  const dir = join(options.cacheDir, `temporal-${VERSION}`);
  if (!existsSync(dir)) await buildInto(dir, options.progress);
  // Go names a program after its folder.
  return { server: join(dir, 'server'), sqlTool: join(dir, 'sql'), devServer: join(dir, 'dev-server') };
}

async function buildInto(dir: string, progress: Progress): Promise<void> {
  if (!(await hasTool('go', 'version'))) {
    throw new Error('The Temporal server is built from source: install Go (https://go.dev/doc/install).');
  }
  await mkdir(dirname(dir), { recursive: true });
  // Use a temporary directory and a rename, so that concurrent runs do not interfere.
  const workDir = await mkdtemp(`${dir}.getting-`);
  try {
    await progress.step(
      'Building the Temporal server with Go (about 3 minutes on 2 cores, once)',
      () => build(join(workDir, 'module'), join(workDir, 'programs')),
      { announce: true },
    );
    await rename(join(workDir, 'programs'), dir).catch((error) => {
      if (!existsSync(dir)) throw error;
    });
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** Inside the command line's module, because only it may import its development server. */
async function build(module: string, programs: string): Promise<void> {
  await runTool('go', ['mod', 'download', COMMAND_LINE, ...Object.values(CHANGED)]);
  const modules = await runTool('go', ['env', 'GOMODCACHE']);
  for (const each of NEEDED)
    await cp(join(modules, COMMAND_LINE, each), join(module, each), { recursive: true });
  for (const [folder, each] of Object.entries(CHANGED))
    await cp(join(modules, each), join(module, folder), { recursive: true, filter: isNoTest });
  await runTool('chmod', ['-R', 'u+w', module]);
  for await (const path of glob(CLOUDS, { cwd: module })) await rm(join(module, path), { recursive: true });
  await cp(WITHOUT_CLOUDS, module, { recursive: true });
  const replaced = `replace (\n${SERVER} => ./server\n${SCALED_WORKERS} => ./workers\n)\n`;
  await appendFile(join(module, 'go.mod'), replaced);
  await cp(DEV_SERVER, join(module, 'dev-server'), { recursive: true });
  await mkdir(join(module, UNPUBLISHED));
  await writeFile(join(module, UNPUBLISHED, 'go.mod'), `module github.com/temporalio/cli/${UNPUBLISHED}\n`);
  await mkdir(programs);
  const packages = ['./dev-server', `${SERVER}/cmd/server`, `${SERVER}/cmd/tools/sql`];
  await runTool('go', ['build', '-mod=mod', TAGS, '-o', `${programs}/`, ...packages], {
    cwd: module,
    env: GO_ENV,
  });
}

function isNoTest(path: string): boolean {
  return !path.endsWith('_test.go');
}
