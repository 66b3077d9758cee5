/** Runs Changesets, which collects each change's line for the changelog. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { npmTools } from '../../sandbox/stack/core/npm-tools.ts';

const VERSION = '3.0.3';

/** @throws Error with its output if it fails */
export async function changesets(args: readonly string[], cwd: string): Promise<void> {
  const tools = await npmTools(`changesets-${VERSION}`, { '@changesets/cli': VERSION });
  const program = join(tools, 'node_modules/@changesets/cli/bin.js');
  // Its output goes to standard error, so that standard output holds only ours.
  const child = spawn(process.execPath, [program, ...args], { cwd, stdio: ['inherit', 2, 2] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`changeset ${args.join(' ')} exited with code ${code}`);
}
