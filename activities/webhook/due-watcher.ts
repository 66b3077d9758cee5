/**
 * Notifies drains of new deliveries. Writers notify (`endpointsToWake`) over one connection per process. A small query
 * at a fixed interval finds missed notifications and due retries; all drains share it, and it is skipped while none is
 * idle.
 */
import type { Changes } from '../../db/core/changes.ts';
import type { Db } from '../../db/core/pool.ts';
import { endpointsWithDue } from '../../db/webhook/due-endpoints.ts';

const LOOK_EVERY_MS = 250;

export class DueWatcher {
  readonly #db: Db;
  readonly #changes: Changes;
  readonly #watches = new Map<string, Set<DueWatch>>();
  #looking = false;

  constructor(db: Db, changes: Changes) {
    this.#db = db;
    this.#changes = changes;
  }

  /** The caller closes it. */
  watch(endpointId: string): DueWatch {
    const watches = this.#watches.get(endpointId) ?? new Set();
    const unsubscribe = this.#changes.subscribe(endpointId, () => watch.notify());
    const watch = new DueWatch(() => {
      unsubscribe();
      watches.delete(watch);
      if (watches.size === 0 && this.#watches.get(endpointId) === watches) this.#watches.delete(endpointId);
    });
    this.#watches.set(endpointId, watches.add(watch));
    if (!this.#looking) void this.#look();
    return watch;
  }

  async #look(): Promise<void> {
    this.#looking = true;
    while (this.#watches.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      const ids = [...this.#watches].filter(([, watches]) => isAnyIdle(watches)).map(([id]) => id);
      if (ids.length === 0) continue;
      try {
        for (const id of await endpointsWithDue(this.#db, ids)) {
          for (const watch of this.#watches.get(id) ?? []) watch.notify();
        }
      } catch {
        // Ignored, because drains use the same database and report its errors.
      }
    }
    this.#looking = false;
  }
}

/** Watches one endpoint for one drain. */
export class DueWatch {
  readonly close: () => void;
  #notified = false;
  #onNotified: (() => void) | undefined;

  constructor(close: () => void) {
    this.close = close;
  }

  get idle(): boolean {
    return this.#onNotified !== undefined;
  }

  /** Call before leasing: discards earlier notifications, which the lease covers. */
  clearNotified(): void {
    this.#notified = false;
  }

  notify(): void {
    this.#notified = true;
    this.#onNotified?.();
  }

  /** True as soon as something may be due; false after the time-out or when `stop` is aborted. */
  async untilDue(timeoutMs: number, stop: AbortSignal): Promise<boolean> {
    if (this.#notified || stop.aborted) return this.#notified;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => resolve();
    const timer = setTimeout(end, timeoutMs);
    stop.addEventListener('abort', end);
    this.#onNotified = end;
    await promise;
    this.#onNotified = undefined;
    stop.removeEventListener('abort', end);
    clearTimeout(timer);
    return this.#notified;
  }
}

function isAnyIdle(watches: Iterable<DueWatch>): boolean {
  for (const watch of watches) if (watch.idle) return true;
  return false;
}
