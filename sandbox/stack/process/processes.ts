/** This machine's processes, from `/proc` where it exists: a bare Debian has no `ps`. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface Process {
  readonly pid: number;
  readonly ppid: number;
  /** The command line. */
  readonly args: string;
}

export function processes(): readonly Process[] {
  return existsSync('/proc/self/stat') ? fromProc() : fromPs();
}

function fromProc(): readonly Process[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '').replaceAll('\0', ' ');
      // State and parent follow the program's name, which may contain any character.
      const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [{ pid: Number(pid), ppid: Number(ppid), args }];
    } catch {
      // It has exited.
      return [];
    }
  });
}

function fromPs(): readonly Process[] {
  const options = ['-eww', '-o', 'pid=,ppid=,args='];
  return execFileSync('ps', options, { encoding: 'utf8', maxBuffer: 64 << 20 })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, pid, ppid, args]) => ({ pid: Number(pid), ppid: Number(ppid), args: args ?? '' }));
}
