/** Runs the commands of docs/on-call.md as an installation does. @reads docs */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { BARE_ENV } from '../support/stack/process.ts';
import { read } from './documents.ts';
import { causes, firstCommandOf, ON_CALL } from './on-call-sections.ts';

/** How many commands run concurrently. */
const TOGETHER = 4;
export const FIRST_COMMANDS = [...new Set(causes().map(firstCommandOf))];

/** @returns the command that `ops` stands for in that installation, as words */
export function opsLineOf(installation: 'A clone' | 'Compose' | 'Kubernetes'): readonly string[] {
  const [, line = ''] =
    new RegExp(`^- \\*\\*${installation}[:,]\\*\\* .*\`([^\`]+)\`$`, 'm').exec(read(ON_CALL)) ?? [];
  return line.split(' ');
}

/**
 * Runs each command verbatim in a shell where `ops` is the program of the printed line.
 * @param cwd the image's folder, or the clone
 * @returns the commands that exit with a code above 1, print nothing or write to stderr, with their output
 */
export async function failuresOf(
  commands: readonly string[],
  program: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd = PROJECT_DIR,
): Promise<readonly unknown[]> {
  const [name, ...args] = program;
  const ops = `ops() { "${name === 'node' ? process.execPath : name}" ${args.join(' ')} "$@"; }`;
  const waiting = [...commands];
  const failed: unknown[] = [];
  const worker = async () => {
    for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) {
      const run = promisify(execFile)('/bin/sh', ['-c', `${ops}\n${command}`], {
        cwd,
        env: { ...BARE_ENV, ...env },
      });
      const { code = 0, stdout, stderr } = await run.catch((error) => error);
      // Code 1 means that something needs an operator; here it is the sweep, which does not run.
      if (![0, 1].includes(code) || stderr !== '' || stdout === '')
        failed.push({ command, code, stdout, stderr });
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, worker));
  return failed;
}
