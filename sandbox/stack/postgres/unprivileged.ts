/** PostgreSQL refuses to run as root. For root, it runs as `nobody`, who owns its files. */
import { execFileSync } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const USER = 'nobody';

export interface User {
  readonly uid: number;
  readonly gid: number;
}

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** The owner of an unprivileged program's files; undefined if we are not root. */
export function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, USER], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** The same command as that user, with access to `paths` even below a directory that is closed to others. */
export function asUser(
  user: User | undefined,
  { command, args }: Command,
  paths: readonly string[],
): Command {
  if (!user) return { command, args };
  const reach = paths.every(isOpenToOthers)
    ? []
    : ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  const become = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', ...reach, '--'];
  return { command: 'setpriv', args: [...become, command, ...args] };
}

/** Other users may traverse every parent directory; a fresh `mktemp -d` and root's home do not allow it. */
function isOpenToOthers(path: string): boolean {
  return [path, realpathSync(path)].every((way) => parentsOf(way).every(othersMayPass));
}

function parentsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...parentsOf(parent)];
}

function othersMayPass(dir: string): boolean {
  return (statSync(dir).mode & 0o001) !== 0;
}
