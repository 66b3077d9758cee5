/** What a person sees while things are set up: what is done now, and how long it took. */
const HEARTBEAT_MS = 15_000;

export interface Progress {
  note(text: string): void;
  /** Says when it is done; where that takes long, also that it has begun and is still going on. */
  step<T>(what: string, work: () => Promise<T>, options?: { readonly announce?: boolean }): Promise<T>;
}

export function createProgress(write: (line: string) => void): Progress {
  return {
    note: write,
    async step(what, work, { announce = false } = {}) {
      const start = Date.now();
      const seconds = () => `${((Date.now() - start) / 1_000).toFixed(1)} s`;
      if (announce) write(`${what} …`);
      const heartbeat = setInterval(() => write(`${what}: still at it after ${seconds()}`), HEARTBEAT_MS);
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
