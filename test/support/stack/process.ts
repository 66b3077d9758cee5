/** Real parts of the service (API, worker, rail, shop) as separate processes that can be killed. */
import { join } from 'node:path';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { API_NODE_ARGS } from '../../../sandbox/stack/parts.ts';
import { untilHealthy } from '../../../sandbox/stack/process/health.ts';
import { startPart } from '../../../sandbox/stack/process/part.ts';

/** Only the variables that Node needs to start and to load compiled code. */
export const BARE_ENV = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

export interface ProcessOptions {
  /** Path from the project's root, as `bin/api.ts`. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Waits until a GET answers 200; if absent, does not wait. */
  readonly healthUrl?: string;
  readonly readyWithinMs?: number;
}

export interface RunningProcess {
  readonly pid: number;
  /** Its output so far, standard output and error interleaved. */
  readonly lines: readonly string[];
  isRunning(): boolean;
  /** SIGKILL, and waits until it is gone: a crash. */
  kill(): Promise<void>;
  /** SIGTERM, then SIGKILL if it takes more than 5 s; waits until the process is gone. */
  stop(): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** SIGSTOP and SIGCONT: a process that is alive but hangs. */
  pause(): void;
  resume(): void;
  untilHealthy(withinMs?: number): Promise<void>;
}

export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { script, args = [], env, healthUrl, readyWithinMs = 120_000 } = options;
  const lines: string[] = [];
  const part = startPart({
    name: script,
    command: process.execPath,
    args: [...(script === 'bin/api.ts' ? API_NODE_ARGS : []), join(PROJECT_DIR, script), ...args],
    cwd: PROJECT_DIR,
    env,
    onLine: (line) => lines.push(line),
  });
  const started: RunningProcess = {
    pid: part.pid,
    lines,
    isRunning: part.isRunning,
    async kill() {
      part.kill('SIGKILL');
      await part.exited;
    },
    stop: part.stop,
    pause: () => part.kill('SIGSTOP'),
    resume: () => part.kill('SIGCONT'),
    async untilHealthy(withinMs = readyWithinMs) {
      if (!healthUrl) throw new Error(`${script} was started without a healthUrl`);
      await untilHealthy(part, healthUrl, withinMs);
    },
  };
  if (healthUrl) {
    try {
      await started.untilHealthy();
    } catch (error) {
      await started.kill();
      throw error;
    }
  }
  return started;
}
