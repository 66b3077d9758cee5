/** Runs `work` in a loop: immediately while there is more, otherwise after a pause or when woken. */
import type { Logger } from 'pino';

const PAUSE_MS = 200;

export interface Loop {
  wake(): void;
  /** Resolves after the current iteration. */
  stop(): Promise<void>;
}

/** @param work returns the number of items processed */
export function startLoop(log: Logger, name: string, work: () => Promise<number>): Loop {
  let stopped = false;
  let woken = false;
  let endPause = () => {};

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false;
      if ((await turn()) > 0 || woken) continue;
      await pause();
    }
  }

  async function turn(): Promise<number> {
    try {
      return await work();
    } catch (error) {
      if (!stopped) log.error({ err: error, loop: name }, 'background work failed, retrying');
      return 0;
    }
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, PAUSE_MS);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
      if (stopped) endPause();
    });
  }

  const finished = run();
  const wake = () => {
    woken = true;
    endPause();
  };
  return {
    wake,
    async stop() {
      stopped = true;
      endPause();
      await finished;
    },
  };
}
