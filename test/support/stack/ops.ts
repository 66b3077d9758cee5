/** `npm run ops` as a process, in a folder without a running `npm start`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { TEST_SECRETS_KEY } from '../db/fixtures.ts';
import { BARE_ENV } from './process.ts';

export interface OpsResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function runOps(args: readonly string[], env: NodeJS.ProcessEnv): Promise<OpsResult> {
  const child = spawn(process.execPath, [join(PROJECT_DIR, 'bin/ops.ts'), ...args], {
    cwd: tmpdir(),
    env: { ...BARE_ENV, SECRETS_KEY: TEST_SECRETS_KEY, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await exited) as [number];
  return { code, out, err };
}
