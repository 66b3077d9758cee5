/**
 * Python programs from PyPI. Each set of packages has its own virtual environment, which survives a new clone.
 * @needs python
 */
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir } from '../../../sandbox/stack/core/directories.ts';
import { hasTool, runTool } from '../../../sandbox/stack/process/tool.ts';

/** Running installations, so that concurrent tests share one. */
const environments = new Map<string, Promise<string>>();

/**
 * @param name includes the version, because each name has its own environment
 * @param python the interpreter
 * @returns the environment's directory, whose Python is `bin/python`
 * @throws an Error that names what is missing
 */
export function pythonEnvironment(
  name: string,
  requirements: readonly string[],
  python = 'python3',
): Promise<string> {
  const environment = environments.get(name) ?? findOrInstall(name, requirements, python);
  environments.set(name, environment);
  return environment;
}

async function findOrInstall(name: string, requirements: readonly string[], python: string): Promise<string> {
  const dir = join(cacheDir(process.env), name);
  if (await exists(dir)) return dir;
  if (!(await hasTool(python, '--version'))) {
    throw new Error('These tests need Python (on Debian: apt-get install python3-venv).');
  }
  await mkdir(cacheDir(process.env), { recursive: true });
  // Installs into a directory of this run, then renames it: concurrent runs do not interfere. Start programs by its
  // Python, which works after the rename; its scripts contain the old path.
  const workDir = await mkdtemp(`${dir}.getting-`);
  try {
    await runTool(python, ['-m', 'venv', workDir]);
    await runTool(join(workDir, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...requirements]);
    await rename(workDir, dir).catch(async (error: unknown) => {
      if (!(await exists(dir))) throw error;
    });
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
  return dir;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
