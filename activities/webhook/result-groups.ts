/**
 * Batches results, so that one statement records many. A group is written when it is full, or shortly after its first
 * result arrives. Groups are written one at a time.
 */
import type { DeliveryResult } from '../../db/webhook/deliveries.ts';

const GROUP_MAX = 100;
const GROUP_WAIT_MS = 5;

export class ResultGroups {
  readonly #write: (results: readonly DeliveryResult[]) => Promise<void>;
  #group: DeliveryResult[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** @param write must not throw */
  constructor(write: (results: readonly DeliveryResult[]) => Promise<void>) {
    this.#write = write;
  }

  add(result: DeliveryResult): void {
    this.#group.push(result);
    if (this.#group.length >= GROUP_MAX) this.#close();
    else this.#timer ??= setTimeout(() => this.#close(), GROUP_WAIT_MS);
  }

  /** Resolves when all added results are written. */
  flush(): Promise<void> {
    this.#close();
    return this.#writing;
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#group.length === 0) return;
    this.#writing = this.#writing.then(() => {
      const group = this.#group.splice(0, GROUP_MAX);
      return group.length === 0 ? undefined : this.#write(group);
    });
  }
}
