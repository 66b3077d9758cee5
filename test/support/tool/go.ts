/** @needs go */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir } from '../../../sandbox/stack/core/directories.ts';
import { GO_ENV, runTool } from '../../../sandbox/stack/process/tool.ts';

/** @returns the path of a program that is built from a Go module, once on each machine */
export async function goTool(path: string, version: string): Promise<string> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dir = join(cacheDir(process.env), `${name}-${version}`);
  const program = join(dir, name);
  if (await stat(program).catch(() => null)) return program;
  await runTool('go', ['install', `${path}@${version}`], { env: { ...GO_ENV, GOBIN: dir } });
  return program;
}
