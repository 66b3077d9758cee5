/**
 * Streams lists longer than one batch. A list occupies a slot only while a batch is read from the database. A process
 * reads one batch at a time, round-robin by merchant, after requests that wait for an answer: many lists delay other
 * requests no more than one does, and a slow reader delays none. Sandbox lists have a separate queue (rule 37).
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { exchangeOf } from '../exchange.ts';
import { Lane } from '../lane.ts';

/** A batch is about 100 kB: readers slower than 5 kB/s are disconnected. */
const READER_TAKES_A_BATCH_WITHIN_MS = 20_000;
const refusal = (open: number) =>
  `${open} long lists of this merchant are already being read; retry when one has finished.`;
const lanes = { production: new Lane(refusal), sandbox: new Lane(refusal) };

export interface BigList {
  /** Reads the next batch when the queue reaches this list. */
  enqueue<Batch>(read: () => Promise<Batch>): Promise<Batch>;
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
  return { enqueue: (read) => lane.enqueue(merchantId, read), leave: () => lane.leave(merchantId) };
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
