/**
 * Sends a merchant's full list, newest first, as `{ data, request_id }`. Longer lists are streamed
 * in batches, so memory does not grow with the list and a slow reader holds no database connection.
 */
import type { Response } from 'express';
import type { Batch } from '../../../db/core/lists/list-batch.ts';
import { exchangeOf } from '../exchange.ts';
import { enterBigList, sendBatches } from './big-lists.ts';

const BATCH_ROWS = 200;

/** @param read returns one batch, starting after the given id */
export async function sendList<Resource extends { readonly id: string }>(
  response: Response,
  read: (batch: Batch) => Promise<readonly Resource[]>,
): Promise<void> {
  const nextBatch = (after: string | null) => read({ after, limit: BATCH_ROWS });
  // Read the first batch before sending anything, so that an unreachable database is still a 503.
  const first = await nextBatch(null);
  if (first.length < BATCH_ROWS) {
    // One write: a stream would add 0.1 ms to the 1.5 ms of a list of 100 rows.
    response
      .status(200)
      .type('json')
      .end(`${HEAD}${rowsOf(first)}${tailOf(response)}`);
    return;
  }
  const big = enterBigList(response);
  try {
    response.status(200).type('json');
    const text = written(first, (after) => big.enqueue(() => nextBatch(after)), tailOf(response));
    await sendBatches(response, text);
  } finally {
    big.leave();
  }
}

/** Prefetches the next batch while the current one is written: a slow reader has at most one batch waiting. */
async function* written<Resource extends { readonly id: string }>(
  first: readonly Resource[],
  nextBatch: (after: string) => Promise<readonly Resource[]>,
  tail: string,
): AsyncGenerator<string> {
  yield HEAD;
  let separator = '';
  for (let batch = first; batch.length > 0; ) {
    const last = batch.at(-1);
    const next = last && batch.length === BATCH_ROWS ? nextBatch(last.id) : Promise.resolve([]);
    // If the client disconnects, drop the prefetched batch and its error.
    next.catch(() => {});
    yield separator + rowsOf(batch);
    separator = ',';
    batch = await next;
  }
  yield tail;
}

const HEAD = '{"data":[';

function rowsOf(batch: readonly object[]): string {
  return JSON.stringify(batch).slice(1, -1);
}

function tailOf(response: Response): string {
  return `],"request_id":${JSON.stringify(exchangeOf(response).requestId)}}`;
}
