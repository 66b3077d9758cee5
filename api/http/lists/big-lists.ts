/**
 * Streams lists longer than one batch. A list occupies its turn only while a batch is read from the database. A process
 * reads one batch at a time, round-robin by merchant, after requests that wait for an answer. Many lists therefore
 * delay other requests no more than one list does, and a slow reader delays none. Sandbox lists have a separate queue
 * (rule 37).
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Response } from 'express';
import { isAnswerAwaited } from '../answer-deadline.ts';
import { ApiError } from '../errors.ts';
import { exchangeOf } from '../exchange.ts';

export const MOST_OF_MERCHANT = 4;
/** A batch is about 100 kB: readers slower than 5 kB/s are disconnected. */
const READER_TAKES_A_BATCH_WITHIN_MS = 20_000;
const RETRY_AFTER_SECONDS = 5;
/**
 * The longest time that a batch yields to other requests. Reading a batch of 200 rows blocks the process for about 4
 * ms: under a constant load of requests, a list takes a seventh of the time.
 */
const GIVES_WAY_FOR_MS = 25;

class Lane {
  readonly #open = new Map<string, number>();
  /** Each merchant's last batch that is waiting or being read. */
  readonly #mine = new Map<string, Promise<unknown>>();
  #last: Promise<unknown> = Promise.resolve();

  enter(merchantId: string): void {
    const mine = this.#open.get(merchantId) ?? 0;
    if (mine >= MOST_OF_MERCHANT) {
      throw new ApiError('rate_limited', {
        message: `${mine} long lists of this merchant are already being read; retry when one has finished.`,
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

  /** Queues a read. Each merchant has one batch in the queue, however many lists the merchant reads. */
  inTurn<Batch>(merchantId: string, read: () => Promise<Batch>): Promise<Batch> {
    const before = this.#mine.get(merchantId) ?? Promise.resolve();
    const mine = before.then(() => this.#next(read));
    this.#mine.set(
      merchantId,
      mine.catch(() => {}),
    );
    return mine;
  }

  #next<Batch>(read: () => Promise<Batch>): Promise<Batch> {
    const next = this.#last.then(giveWay).then(read);
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

const lanes = { production: new Lane(), sandbox: new Lane() };

export interface BigList {
  /** Reads the next batch when it is this list's turn. */
  inTurn<Batch>(read: () => Promise<Batch>): Promise<Batch>;
  /** Call when the list has ended, with success or failure. */
  leave(): void;
}

/**
 * Registers a list. Call before the first byte is sent.
 *
 * @throws ApiError 429 when the merchant reads too many lists
 */
export function enterBigList(response: Response): BigList {
  const { scope, access, lane: name } = exchangeOf(response);
  const merchantId = scope?.merchantId ?? access?.merchantId ?? '';
  const lane = lanes[name];
  lane.enter(merchantId);
  return { inTurn: (read) => lane.inTurn(merchantId, read), leave: () => lane.leave(merchantId) };
}

/** Streams the batches, and disconnects a reader that is too slow. */
export function sendBatches(response: Response, batches: AsyncIterable<string>): Promise<void> {
  return pipeline(Readable.from(takenInTime(response, batches), { highWaterMark: 1 }), response);
}

async function* takenInTime(response: Response, batches: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const batch of batches) {
    const timer = setTimeout(() => response.destroy(), READER_TAKES_A_BATCH_WITHIN_MS);
    try {
      yield batch;
    } finally {
      clearTimeout(timer);
    }
  }
}
