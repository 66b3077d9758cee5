/** One child process of the local stack: logged, stoppable, and exiting with its parent. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const LEASH = fileURLToPath(new URL('leash.mjs', import.meta.url));
const LAST_LINES = 30;
const LAST_WORDS_MS = 300;
const NOT_STARTED = 127;

export interface PartSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** How long a stop may take before the part is killed. */
  readonly graceMs?: number;
  readonly onLine?: (line: string) => void;
}

/** A foreign program, which does not exit with its parent unless leashed. */
export interface ForeignProgram extends PartSpec {
  readonly stopSignal?: NodeJS.Signals;
  /** A file or directory to remove once the program has exited, however it did. */
  readonly removeAfter?: string;
}

export type StartProgram = (program: ForeignProgram) => Part;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Part {
  readonly name: string;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  isRunning(): boolean;
  lastLines(): readonly string[];
  kill(signal: NodeJS.Signals): void;
  /** Terminates the part, kills it after `graceMs`, and kills the rest of its process group. */
  stop(): Promise<Exit>;
}

export function startPart(spec: PartSpec): Part {
  // Its own process group, so that Ctrl-C in a terminal reaches only us and we stop the parts in order.
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: { ...process.env, ...spec.env, EXIT_WITH_PARENT: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdin.on('error', () => {});
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      if (lines.length > LAST_LINES) lines.shift();
      spec.onLine?.(line);
    });
  }
  const exited = exitOf(child, lines).then((exit) => {
    killGroup(child);
    return exit;
  });
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    name: spec.name,
    pid: child.pid ?? 0,
    exited,
    isRunning,
    lastLines: () => lines,
    kill: (signal) => void child.kill(signal),
    async stop() {
      if (isRunning()) child.kill('SIGTERM');
      const timeout = new AbortController();
      const grace = sleep(spec.graceMs ?? 5_000, undefined, { signal: timeout.signal, ref: false });
      const ended = await Promise.race([exited, grace.catch(() => undefined)]);
      timeout.abort();
      if (!ended) killGroup(child);
      return exited;
    },
  };
}

export function startForeignPart({
  stopSignal,
  removeAfter,
  graceMs = 3_000,
  ...spec
}: ForeignProgram): Part {
  const leashed = { command: spec.command, args: spec.args, stopSignal, graceMs, removeAfter };
  return startPart({
    ...spec,
    command: process.execPath,
    args: [LEASH, JSON.stringify(leashed)],
    graceMs: graceMs + 500,
  });
}

async function exitOf(child: ChildProcess, lines: string[]): Promise<Exit> {
  // Output may arrive after the exit; the time-out covers a process that inherited the pipe and keeps it open.
  const closed = once(child, 'close').catch(() => {});
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    await Promise.race([closed, sleep(LAST_WORDS_MS, undefined, { ref: false })]);
    return { code, signal };
  } catch (error) {
    lines.push(String(error));
    return { code: NOT_STARTED, signal: null };
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is already gone.
  }
}
