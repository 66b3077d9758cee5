/** A process of the service that restarts when it dies, like a container with `restart: always`. */
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Part, type PartSpec, startPart } from '../../../../sandbox/stack/process/part.ts';

const RESTART_AFTER_MS = 300;
const POLL_MS = 100;

export interface Supervised {
  readonly name: string;
  /** SIGKILL, followed by a restart. */
  kill(): void;
  /** SIGSTOP and SIGCONT. */
  freeze(): void;
  thaw(): void;
  /** Adds environment variables to the process's own at every later start. */
  configure(env: NodeJS.ProcessEnv): void;
  /** Ends it and starts it with these additional variables, until it is restarted without them. */
  restart(signal: 'SIGTERM' | 'SIGKILL', env: NodeJS.ProcessEnv): Promise<void>;
  /** Resolves to true once the health check answers 200, to false after `withinMs`. */
  untilHealthy(withinMs: number): Promise<boolean>;
  stop(): Promise<void>;
}

export interface SupervisedOptions {
  readonly spec: PartSpec;
  readonly healthUrl: string;
  /** Every line of its log is appended here. */
  readonly logFile: string;
}

export function supervise({ spec, healthUrl, logFile }: SupervisedOptions): Supervised {
  let isWanted = true;
  let part: Part;
  let isRestarting = false;
  let configured: NodeJS.ProcessEnv = {};
  let more: NodeJS.ProcessEnv = {};
  const start = () => {
    // Two restarts that overlap would start it twice, and only one of the two would ever be stopped.
    if (part?.isRunning()) return;
    const env = { ...spec.env, ...configured, ...more };
    part = startPart({ ...spec, env, onLine: (line) => appendFileSync(logFile, `${line}\n`) });
    void part.exited.then(async () => {
      await pause(RESTART_AFTER_MS);
      if (isWanted && !isRestarting) start();
    });
  };
  start();
  return {
    name: spec.name,
    kill: () => part.kill('SIGKILL'),
    freeze: () => part.kill('SIGSTOP'),
    thaw: () => part.kill('SIGCONT'),
    configure(env) {
      configured = { ...configured, ...env };
    },
    async restart(signal, env) {
      isRestarting = true;
      more = env;
      if (signal === 'SIGTERM') await part.stop();
      else part.kill(signal);
      await part.exited;
      await pause(RESTART_AFTER_MS);
      isRestarting = false;
      if (isWanted) start();
    },
    async untilHealthy(withinMs) {
      const end = performance.now() + withinMs;
      while (performance.now() < end) {
        if (await isHealthy(healthUrl)) return true;
        await pause(POLL_MS);
      }
      return false;
    },
    async stop() {
      isWanted = false;
      part.kill('SIGCONT');
      await part.stop();
    },
  };
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}
