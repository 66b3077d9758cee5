/** A second checkout of the project, as `git clone` would make it, with the packages of this one. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import type { DevJson } from '../../../sandbox/stack/dev-json.ts';
import { processes } from '../../../sandbox/stack/process/processes.ts';
import { eventually } from '../../support/core/eventually.ts';

const READY_WITHIN_MS = 180_000;

export interface CheckoutCopy {
  readonly dir: string;
  /** Runs `npm start` there and waits until `.local/dev.json` is written. */
  start(...args: readonly string[]): Promise<Run>;
  /** Runs `npm start` there, expecting a refusal. */
  startInVain(env?: NodeJS.ProcessEnv): { readonly code: number | null; readonly output: string };
  /** Command lines of this checkout's processes. */
  processes(): string[];
  /** Kills these processes. */
  kill(): void;
  remove(): void;
}

export interface Run {
  /** The `npm start` process. */
  readonly npm: number;
  /** The process that supervises the others. */
  readonly supervisor: number;
  readonly dev: DevJson;
  readonly readyAfterMs: number;
  readonly exit: Promise<number | null>;
  output(): string;
  pidOf(script: string): number;
}

/** @param env added to this process's environment for its `npm start` */
export function copyCheckout(env: NodeJS.ProcessEnv = {}): CheckoutCopy {
  const dir = mkdtempSync(join(tmpdir(), 'checkout-copy-'));
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: PROJECT_DIR,
    encoding: 'utf8',
  });
  for (const file of list.split('\n').filter((name) => name && existsSync(join(PROJECT_DIR, name)))) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    cpSync(join(PROJECT_DIR, file), join(dir, file));
  }
  symlinkSync(join(PROJECT_DIR, 'node_modules'), join(dir, 'node_modules'));
  const devJson = join(dir, '.local/dev.json');

  /** The pid of every `npm start` so far, because neither its command line nor its supervisor's names the folder. */
  const started: number[] = [];

  return {
    dir,
    async start(...args) {
      const begun = Date.now();
      const child = spawn('npm', ['start', '--', ...args], {
        cwd: dir,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      if (child.pid) started.push(child.pid);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
      const exit = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
      await Promise.race([
        eventually(() => statSync(devJson), READY_WITHIN_MS),
        exit.then(() => {
          throw new Error(`npm start has ended:\n${output}`);
        }),
      ]);
      const readyAfterMs = Date.now() - begun;
      const npm = child.pid as number;
      const supervisor = only(
        processes().filter(({ ppid, args }) => ppid === npm && args.includes('bin/start.ts')),
      );
      const dev: DevJson = JSON.parse(readFileSync(devJson, 'utf8'));
      const pidOf = (script: string) =>
        only(processes().filter(({ args }) => args.endsWith(join(dir, script))));
      return { npm, supervisor, dev, readyAfterMs, exit, output: () => output, pidOf };
    },
    startInVain(more = {}) {
      const { status, stdout } = spawnSync('npm', ['start'], {
        cwd: dir,
        env: { ...process.env, ...env, ...more },
        encoding: 'utf8',
        timeout: 30_000,
      });
      return { code: status, output: stdout };
    },
    processes: () =>
      processes()
        .map(({ args }) => args)
        .filter((args) => args.includes(dir)),
    kill: () => {
      const ours = processes().filter(
        ({ pid, ppid, args }) => args.includes(dir) || started.includes(pid) || started.includes(ppid),
      );
      for (const { pid } of ours) killIfThere(pid);
      rmSync(devJson, { force: true });
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/** Throws instead of returning 0, because a signal to process 0 would reach the runner's whole process group. */
function only(rows: readonly { readonly pid: number }[]): number {
  const [row, ...others] = rows;
  if (!row || others.length > 0) throw new Error(`${rows.length} processes where one was expected`);
  return row.pid;
}
