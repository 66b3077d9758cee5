/** The operators' command line. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_DIR } from '../../../../sandbox/stack/core/directories.ts';
import type { Place } from './place.ts';

const run = promisify(execFile);

/** @returns the command's output, even for exit code 1, which means incidents or unfinished work */
export async function runOps({ env }: Pick<Place, 'env'>, ...args: readonly string[]): Promise<string> {
  const options = { env: { ...process.env, ...env }, cwd: PROJECT_DIR };
  const { stdout } = await run(process.execPath, [join(PROJECT_DIR, 'bin/ops.ts'), ...args], options).catch(
    (error: Error & { stdout?: string; code?: number }) => {
      if (error.code === 1 && error.stdout) return { stdout: error.stdout };
      throw error;
    },
  );
  return stdout;
}
