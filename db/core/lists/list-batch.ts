/**
 * Lists in batches, newest first, by keyset: no cursor or connection is held while a slow client reads. Ids are
 * time-ordered, so rows created while the list is read are not included. Payments and refunds sort by creation time
 * instead, and a subscription's id contains its session's time.
 */
import { ENVIRONMENTS, type Environment, type Scope } from '../../../domain/core/environment.ts';
import { type Db, sql } from '../pool.ts';

export interface Batch {
  /** The last id of the previous batch; null starts with the newest rows. */
  readonly after: string | null;
  readonly limit: number;
}

export type ListBatch<Resource> = (db: Db, scope: Scope, batch: Batch) => Promise<readonly Resource[]>;

/** Lists one environment, or merges both for people. */
export async function listInEnvironments<Resource extends Listed>(
  db: Db,
  listBatch: ListBatch<Resource>,
  { merchantId, environment }: { readonly merchantId: string; readonly environment: Environment | null },
  batch: Batch,
): Promise<readonly Resource[]> {
  if (environment !== null) return listBatch(db, { merchantId, environment }, batch);
  const ofEach = ENVIRONMENTS.map((each) => listBatch(db, { merchantId, environment: each }, batch));
  const newestFirst = (await Promise.all(ofEach))
    .flat()
    .sort((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1));
  return newestFirst.slice(0, batch.limit);
}

/** Payments and refunds sort by creation time; a dispute's creation time is the same as its id's. */
interface Listed {
  readonly id: string;
  readonly created_at?: string;
}

function placeOf({ id, created_at: createdAt = '' }: Listed): string {
  return createdAt + id;
}

export function olderThan(table: string, after: string | null) {
  return after === null ? sql.fragment`` : sql.fragment`and ${sql.identifier([table, 'id'])} < ${after}`;
}
