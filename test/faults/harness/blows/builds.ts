/** Builds of the workers, with Temporal's worker versioning, rolled out one worker after the other. */
import { setTimeout as pause } from 'node:timers/promises';
import { runOps } from '../place/ops.ts';
import type { Place } from '../place/place.ts';
import type { Supervised } from '../place/process.ts';

const WITHIN_MS = 60_000;
const POLL_MS = 500;

interface Build {
  readonly buildId: string;
  readonly state: string;
  readonly open: number;
}

export class Builds {
  readonly #place: Place;
  #number = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  /** New workflows start on the new build from now on; open sessions stay on the build that began them. */
  async begin(worker: Supervised): Promise<void> {
    this.#number += 1;
    await this.#start(worker);
    await this.#until(() => this.#deploy('current', this.#name));
  }

  /** Replaces the last worker of the former build, whose open sessions continue on the current one. */
  async finish(worker: Supervised): Promise<void> {
    await this.#start(worker);
    await this.#giveUpOthers();
  }

  /** Called when a restored Temporal has lost the current build. */
  async makeCurrent(): Promise<void> {
    if (this.#number === 0) return;
    await this.#until(() => this.#deploy('current', this.#name));
    await this.#giveUpOthers();
  }

  get #name(): string {
    return `build-${this.#number}`;
  }

  async #start(worker: Supervised): Promise<void> {
    worker.configure({ BUILD_ID: this.#name });
    await worker.restart('SIGTERM', {});
    await worker.untilHealthy(WITHIN_MS);
  }

  /** Repeated, because Temporal lists a session with a delay. */
  async #giveUpOthers(): Promise<void> {
    await this.#until(async () => {
      const builds = await this.#deploy('list');
      const others = builds.filter(({ buildId, open }) => buildId !== this.#name && open > 0);
      for (const { buildId } of others) await this.#deploy('abandon', buildId);
      return others.length === 0;
    });
  }

  async #deploy(...args: readonly string[]): Promise<readonly Build[]> {
    return JSON.parse(await runOps(this.#place, 'deploy', ...args, '--json')).builds ?? [];
  }

  /** Temporal refuses a build until its workers have polled each queue. */
  async #until(work: () => Promise<unknown>): Promise<void> {
    for (const end = performance.now() + WITHIN_MS; ; await pause(POLL_MS)) {
      try {
        if ((await work()) !== false) return;
      } catch (error) {
        if (performance.now() > end) throw error;
      }
      if (performance.now() > end) return;
    }
  }
}
