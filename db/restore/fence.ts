/**
 * Identifies this copy of the database (rule 29). A restored copy is fenced: no charge, refund or delivery starts until
 * the rail's lists have been compared.
 */
import { z } from 'zod';
import { type Actor, writeAudit } from '../core/audit.ts';
import { camelCased, type Db, type Pool, sql, type Transaction } from '../core/pool.ts';

const copy = camelCased({
  epoch: z.number(),
  fenced_at: z.string().nullable(),
  compare_since: z.string().nullable(),
});
export type LedgerCopy = z.infer<typeof copy>;

/** Prefix of the ids of webhooks that no rail sent: the comparison of this copy created them. */
export const webhookPrefixOf = (epoch: number) => `restored-${epoch}-`;

export function readLedgerCopy(db: Db): Promise<LedgerCopy> {
  return db.one(sql.type(copy)`
    select epoch, fenced_at, compare_since from ledger_copy
  `);
}

/** Margin by which the comparison starts before the backup's last sweep: clocks differ, and calls take time. */
const COMPARE_BEFORE_SWEEP = sql.fragment`interval '1 hour'`;

/**
 * If Temporal has no record of a sweep, a starting worker fences the database only if the last sweep, or the end of the
 * last fence, is older than this.
 */
const UNPROVED_AFTER = sql.fragment`interval '10 minutes'`;

export interface RestoreEvidence {
  /** The highest sweep number recorded in Temporal; null if there is none. */
  readonly sweepNumber: number | null;
  /** The operator who reports that the database was restored. */
  readonly announced?: Actor;
  /** True if Temporal has no recorded sweep. */
  readonly onlyRailKnows?: boolean;
  /** Makes the comparison start earlier. It cannot start later, which would miss charges that only the rail knows. */
  readonly since?: string | undefined;
}

/**
 * Fences the database in a new epoch if it was restored. An existing fence stays unless the copy was restored again. A
 * database without an identity gets one. An operator's announcement is stored in an audit row.
 * @returns the epoch if this call fenced the database; otherwise null
 */
export function fenceIfRestored(
  pool: Pool,
  { sweepNumber, announced, onlyRailKnows, since }: RestoreEvidence,
): Promise<number | null> {
  return pool.transaction(async (tx) => {
    // Wait for transactions that are storing marks of calls.
    await tx.query(sql.typeAlias('void')`select pg_advisory_xact_lock(hashtext('ledger_copy'))`);
    const fenced = await tx.maybeOneFirst(sql.type(z.object({ epoch: z.number() }))`
      update ledger_copy
      set epoch = greatest(epoch + 1, unix_ms(service_clock())),
        identity = database_identity(),
        mark = greatest(mark, coalesce(${sweepNumber}::bigint, 0)),
        fenced_at = service_clock(),
        compare_since = least(${since ?? null}::timestamptz, ${firstInstantToCompare})
      where is_restored_copy() or mark < ${sweepNumber}::bigint or (${announced !== undefined} and fenced_at is null)
        or (${onlyRailKnows === true} and fenced_at is null and marked_at < service_clock() - ${UNPROVED_AFTER})
      returning epoch
    `);
    if (announced && fenced !== null)
      await writeAudit(tx, {
        ...announced,
        merchantId: null,
        environment: null,
        action: 'restore.announce',
        subjectId: `restore-${fenced}`,
        before: null,
        after: { since: since ?? null },
      });
    // A worker does this at its start, before any money moves, so that even a backup from before the first sweep is
    // recognised.
    await tx.query(sql.typeAlias('void')`
      update ledger_copy set identity = database_identity() where identity is null
    `);
    return fenced;
  });
}

/** Where the comparison starts: the last sweep dates the backup to the minute; a fenced backup keeps its start. */
const firstInstantToCompare = sql.fragment`
  least(compare_since, coalesce(marked_at, (select max(created_at) from checkouts), service_clock()) - ${COMPARE_BEFORE_SWEEP})`;

/**
 * Counts a sweep of this copy (column `mark`), unless the copy is fenced.
 * @param remembered the number recorded in Temporal; a restored database has a lower number
 * @returns the sweep's number, for Temporal to record; null on a restored copy
 */
export function countSweep(db: Db, remembered: number | null = null): Promise<number | null> {
  return db.maybeOneFirst(sql.type(z.object({ mark: z.number() }))`
    update ledger_copy
    set identity = coalesce(identity, database_identity()), mark = mark + 1, marked_at = service_clock()
    where money_may_move() and (mark < ${remembered}::bigint) is not true
    returning mark
  `);
}

/** Lifts this epoch's fence after the comparison is complete. */
export async function liftFence(db: Db, epoch: number): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update ledger_copy set fenced_at = null, compare_since = null, marked_at = service_clock() where epoch = ${epoch}
  `);
}

/** Exempts a transaction of the restore from the fence, which blocks new clicks, refunds and marks of calls. */
export async function adopting(tx: Transaction): Promise<void> {
  await tx.query(sql.typeAlias('void')`select set_config('service.adopts', 'on', true)`);
}
