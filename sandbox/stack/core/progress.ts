/** Progress output during set-up: the current step, and how long it took. */
const HEARTBEAT_MS = 15_000;

export interface Progress {
  note(text: string): void;
  /** Reports the end of a step; `announce` also reports its start, and long steps report every 15 s. */
  step<T>(what: string, work: () => Promise<T>, options?: { readonly announce?: boolean }): Promise<T>;
}

export function createProgress(write: (line: string) => void): Progress {
  return {
    note: write,
    async step(what, work, { announce = false } = {}) {
      const start = Date.now();
      const seconds = () => `${((Date.now() - start) / 1_000).toFixed(1)} s`;
      if (announce) write(`${what} …`);
      const heartbeat = setInterval(() => write(`${what}: still running after ${seconds()}`), HEARTBEAT_MS);
      try {
        const result = await work();
        write(`${what}: done in ${seconds()}`);
        return result;
      } finally {
        clearInterval(heartbeat);
      }
    },
  };
}
