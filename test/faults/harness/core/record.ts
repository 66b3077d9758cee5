/** Collects the observations of a run's clients as they happen. */
import { performance } from 'node:perf_hooks';
import type { Cancelled, Exchange, Fault, Observed, Received, Restore, Seen } from '../../checker/records.ts';

export interface Click {
  readonly sessionId: string;
  readonly url: string;
  readonly body: { readonly claimId: string };
}

export class Recorder {
  readonly startedAt = new Date().toISOString();
  readonly exchanges: Exchange[] = [];
  readonly seen: Seen[] = [];
  readonly cancelled: Cancelled[] = [];
  /** Clicks on "Pay" that a page has sent. */
  readonly clicks: Click[] = [];
  readonly received: Received[] = [];
  readonly observed: Observed[] = [];
  readonly faults: Fault[] = [];
  readonly restores: Restore[] = [];
  readonly canaries = new Set<string>();
  readonly sessionIds = new Set<string>();
  readonly refundIds = new Set<string>();
  /** URLs of method-change pages, by session id. */
  readonly methodChanges = new Map<string, string>();
  /** Milliseconds from the click to the page's outcome. */
  readonly purchases: { at: string; ms: number; outcome: string }[] = [];
  /** Milliseconds from a fault to the event that the harness measures. */
  readonly recoveries: { what: string; ms: number }[] = [];
  /** How often each operation on a subscription, or sale of a last redemption, took place. */
  readonly operations = new Map<string, number>();

  readonly #last = new Map<string, string>();

  count(what: string): void {
    this.operations.set(what, (this.operations.get(what) ?? 0) + 1);
  }

  /** Records changes only. */
  observe(kind: Observed['kind'], id: string, state: string): void {
    const key = `${kind} ${id}`;
    if (this.#last.get(key) === state) return;
    this.#last.set(key, state);
    this.observed.push({ kind, id, state, at: now() });
  }

  /** Records what a page shows; repeats are dropped. */
  see(seen: Omit<Seen, 'at'>): void {
    const key = `page ${seen.sessionId}`;
    const shown = `${seen.state} ${seen.version}`;
    if (this.#last.get(key) === shown) return;
    this.#last.set(key, shown);
    this.seen.push({ ...seen, at: now() });
  }
}

export const now = () => new Date().toISOString();

/** Milliseconds since `since`, which `performance.now()` returned. */
export const elapsed = (since: number) => Math.round(performance.now() - since);
