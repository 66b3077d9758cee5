/**
 * Lists in batches, newest first. A batch goes on after the last id of the one before: no cursor and no
 * connection is held while a slow client reads. Ids are time-ordered, so rows created meanwhile
 * are not listed; payments sort by creation instead.
 */
import { ENVIRONMENTS, type Environment, type Scope } from '../../domain/environment.ts';
import { type Db, sql } from './pool.ts';

export interface Batch {
  /** The last id of the batch before; null: the newest rows. */
  readonly after: string | null;
  readonly limit: number;
}

export type ListBatch<Resource> = (db: Db, scope: Scope, batch: Batch) => Promise<readonly Resource[]>;

/** One environment's list, or both in one for people, who see both. */
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

/** Payments alone show when they were created, and are the ones that are sorted by it. */
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
