/**
 * A process's low-priority work: one piece at a time, round-robin by merchant, after requests that wait for a response.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { isAnswerAwaited } from './answer-deadline.ts';
import { ApiError } from './errors.ts';

/** The maximum number of a merchant's requests whose work is queued or in progress. */
export const MOST_OF_MERCHANT = 4;
const RETRY_AFTER_SECONDS = 5;
/**
 * The longest time for which a piece of work waits for other requests. Reading a batch of 200 rows blocks the process
 * for about 4 ms: under a constant load of requests, lists get a seventh of the time.
 */
const GIVES_WAY_FOR_MS = 25;

export class Lane {
  readonly #refusal: (open: number) => string;
  readonly #open = new Map<string, number>();
  /** Each merchant's latest piece, queued or in progress. */
  readonly #mine = new Map<string, Promise<unknown>>();
  #last: Promise<unknown> = Promise.resolve();

  /** @param refusal returns the message for a merchant that has too many requests in the lane */
  constructor(refusal: (open: number) => string) {
    this.#refusal = refusal;
  }

  /** @throws ApiError 429 when the merchant has too many requests in the lane */
  enter(merchantId: string): void {
    const mine = this.#open.get(merchantId) ?? 0;
    if (mine >= MOST_OF_MERCHANT) {
      throw new ApiError('rate_limited', {
        message: this.#refusal(mine),
        headers: { 'Retry-After': `${RETRY_AFTER_SECONDS}` },
      });
    }
    this.#open.set(merchantId, mine + 1);
  }

  leave(merchantId: string): void {
    const left = (this.#open.get(merchantId) ?? 0) - 1;
    if (left > 0) this.#open.set(merchantId, left);
    else {
      this.#open.delete(merchantId);
      this.#mine.delete(merchantId);
    }
  }

  /** Queues a piece of work. Each merchant has at most one in the queue, however many of its requests have entered. */
  enqueue<Result>(merchantId: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#mine.get(merchantId) ?? Promise.resolve();
    const mine = before.then(() => this.#next(work));
    this.#mine.set(
      merchantId,
      mine.catch(() => {}),
    );
    return mine;
  }

  #next<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#last.then(giveWay).then(work);
    this.#last = next.catch(() => {});
    return next;
  }
}

async function giveWay(): Promise<void> {
  // Requests that arrived in the meantime run first.
  await nextTurn();
  const until = performance.now() + GIVES_WAY_FOR_MS;
  while (isAnswerAwaited() && performance.now() < until) await pause(1);
}
