/**
 * Other JavaScript runtimes, from npm, each at a fixed version. Only their binaries: none of their scripts is
 * run.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { npmTools } from '../../../sandbox/stack/core/npm-tools.ts';

export const deno = async () => binaryIn(await npmTools('deno-1', { deno: '2.9.6' }), '@deno', 'deno');
export const bun = async () => binaryIn(await npmTools('bun-1', { bun: '1.4.5' }), '@oven', 'bin/bun');

/** npm installs the package of this platform only. */
async function binaryIn(dir: string, scope: string, path: string): Promise<string> {
  const folder = join(dir, 'node_modules', scope);
  const [platform = ''] = await readdir(folder);
  return join(folder, platform, path);
}
