/**
 * Finds the `temporal` program: TEMPORAL_CLI, the PATH, the cache, the official download, or a build with Go where
 * only package registries are reachable.
 */
import { chmod, link, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { download } from '../core/download.ts';
import { isExecutable } from '../core/executable.ts';
import type { Progress } from '../core/progress.ts';
import { runTool } from '../process/tool.ts';
import { findTemporalServer } from './temporal-server-binary.ts';

/** The oldest server on which updates during a start delay and worker versioning were tested. */
const OLDEST_SERVER = [1, 29, 1] as const;
const GO_ARCH: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

export interface TemporalBinaryOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cacheDir: string;
  readonly progress: Progress;
}

/**
 * @returns the path of an executable
 * @throws Error that lists the attempts
 */
export async function findTemporal({ env, cacheDir, progress }: TemporalBinaryOptions): Promise<string> {
  if (env.TEMPORAL_CLI) return named(env.TEMPORAL_CLI);
  const onPath = await firstExecutable((env.PATH ?? '').split(delimiter).map((dir) => join(dir, 'temporal')));
  if (onPath) {
    if (await isRecent(onPath)) return onPath;
    progress.note(`${onPath} is older than Temporal server ${OLDEST_SERVER.join('.')}: not used.`);
  }
  const cached = join(cacheDir, 'temporal-cli', 'temporal');
  if (await isExecutable(cached)) return cached;
  await getInto(cached, cacheDir, progress);
  return cached;
}

async function getInto(cached: string, cacheDir: string, progress: Progress): Promise<void> {
  await mkdir(dirname(cached), { recursive: true });
  // Use a temporary directory and a rename, so that concurrent runs do not interfere.
  const workDir = await mkdtemp(join(dirname(cached), '.getting-'));
  const made = join(workDir, 'temporal');
  try {
    const refusal = await downloadTo(workDir, progress);
    if (refusal !== undefined) await link(await build(cacheDir, refusal, progress), made);
    await chmod(made, 0o755);
    await runTool(made, ['--version']);
    await rename(made, cached);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** @returns the reason of a failure, undefined on success */
async function downloadTo(workDir: string, progress: Progress): Promise<string | undefined> {
  const url = `https://temporal.download/cli/archive/latest?platform=${platform()}&arch=${GO_ARCH[arch()] ?? arch()}`;
  const archive = join(workDir, 'temporal.tar.gz');
  try {
    await progress.step('Downloading the Temporal server', () => download(url, archive), { announce: true });
    await runTool('tar', ['-xzf', archive, '-C', workDir, 'temporal']);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    progress.note(`Downloading the Temporal server failed (${reason}).`);
    return reason;
  }
}

/** Builds production's server too, because compiling both together takes hardly longer than compiling one. */
async function build(cacheDir: string, refusal: string, progress: Progress): Promise<string> {
  const { devServer } = await findTemporalServer({ cacheDir, progress }).catch((error) => {
    throw new Error(
      `Downloading the Temporal server failed (${refusal}).\n` +
        'Install the Temporal CLI and put it on the PATH, or set TEMPORAL_CLI to its path.\n' +
        (error as Error).message,
    );
  });
  return devServer;
}

async function named(path: string): Promise<string> {
  if (await isExecutable(path)) return path;
  throw new Error(`TEMPORAL_CLI=${path} is not an executable.`);
}

/** Reads the version of the server from `temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)`. */
async function isRecent(binary: string): Promise<boolean> {
  const said = await runTool(binary, ['--version']).catch(() => '');
  const version = /Server (\d+)\.(\d+)\.(\d+)/.exec(said)?.slice(1).map(Number) ?? [0, 0, 0];
  const difference = OLDEST_SERVER.map((part, index) => (version[index] ?? 0) - part).find(
    (part) => part !== 0,
  );
  return (difference ?? 0) >= 0;
}

async function firstExecutable(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await isExecutable(path)) return path;
  return undefined;
}
