/**
 * Lists longer than a batch. A process reads one batch of them at a time, and lets requests that wait for an
 * answer go first: many lists delay other requests no more than one does. Sandbox lists have a separate queue
 * (rule 37).
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Response } from 'express';
import { isAnswerAwaited } from '../answer-deadline.ts';
import { ApiError } from '../errors.ts';
import { exchangeOf } from '../exchange.ts';

export const MOST_OF_MERCHANT = 4;
const MOST_OF_PROCESS = 32;
const RETRY_AFTER_SECONDS = 5;
/**
 * A batch of 200 rows blocks the process for some 4 ms: under a constant load of requests, a list takes a
 * seventh of it.
 */
const GIVES_WAY_FOR_MS = 25;

class Lane {
  readonly #open = new Map<string, number>();
  #last: Promise<unknown> = Promise.resolve();

  enter(merchantId: string): void {
    const mine = this.#open.get(merchantId) ?? 0;
    const all = [...this.#open.values()].reduce((sum, count) => sum + count, 0);
    if (mine >= MOST_OF_MERCHANT || all >= MOST_OF_PROCESS) {
      const whose = mine >= MOST_OF_MERCHANT ? `${mine} long lists of this merchant` : `${all} long lists`;
      throw new ApiError('rate_limited', {
        message: `${whose} are already being read; retry when one has finished.`,
        headers: { 'Retry-After': `${RETRY_AFTER_SECONDS}` },
      });
    }
    this.#open.set(merchantId, mine + 1);
  }

  leave(merchantId: string): void {
    const left = (this.#open.get(merchantId) ?? 0) - 1;
    if (left > 0) this.#open.set(merchantId, left);
    else this.#open.delete(merchantId);
  }

  inTurn<Batch>(read: () => Promise<Batch>): Promise<Batch> {
    const mine = this.#last.then(giveWay).then(read);
    this.#last = mine.catch(() => {});
    return mine;
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
  /** The list has ended, with success or failure. */
  leave(): void;
}

/**
 * Takes a slot for a big list. Call it before the first byte is sent. @throws ApiError 429 when too many are
 * being read
 */
export function enterBigList(response: Response): BigList {
  const { scope, access, lane: name } = exchangeOf(response);
  const merchantId = scope?.merchantId ?? access?.merchantId ?? '';
  const lane = lanes[name];
  lane.enter(merchantId);
  return { inTurn: (read) => lane.inTurn(read), leave: () => lane.leave(merchantId) };
}
