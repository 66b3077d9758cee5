/** Charges: one row per account and reference, whatever its outcome. */
import type { RailDecline } from '../core/test-cards.ts';
import { type Db, maybeOne, one, run } from './pool.ts';
import type { Method } from './tokens.ts';

type ChargeStatus = 'approved' | 'declined' | 'requires_action' | 'pending' | 'cancelled';

export interface Charge {
  readonly id: string;
  readonly accountId: string;
  readonly reference: string;
  readonly operation: 'authorize' | 'chargeStored' | 'tombstone';
  readonly amount: number;
  readonly currency: string;
  readonly status: ChargeStatus;
  readonly declineCode: RailDecline | null;
  /** Name in `core/test-cards.ts`; null on a tombstone or after an invalid token or mandate. */
  readonly cardName: string | null;
  readonly method: Method | null;
  readonly quantity: number | null;
  readonly saveMandate: boolean;
  readonly mandateId: string | null;
  readonly challengeId: string | null;
  readonly challengeReturnUrl: string | null;
  readonly settlesAs: 'approve' | 'decline' | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type NewCharge = Pick<
  Charge,
  'accountId' | 'reference' | 'operation' | 'amount' | 'currency' | 'cardName' | 'method' | 'saveMandate'
> & { readonly challengeReturnUrl: string | null; readonly quantity?: number | null };

const COLUMNS = `id, account_id as "accountId", reference, operation, amount, currency, status,
  decline_code as "declineCode", card_name as "cardName", method, quantity, save_mandate as "saveMandate",
  mandate_id as "mandateId", challenge_id as "challengeId", challenge_return_url as "challengeReturnUrl",
  settles_as as "settlesAs", created_at as "createdAt", updated_at as "updatedAt"`;

/** Inserts a row as `pending`; the same transaction decides its outcome. Returns null if the reference exists. */
export async function insertCharge(db: Db, charge: NewCharge): Promise<Charge | null> {
  return maybeOne<Charge>(
    db,
    `insert into charges (account_id, reference, operation, amount, currency, status,
       card_name, method, save_mandate, challenge_return_url, quantity)
     values ($1, $2, $3, $4, $5, 'pending', $6, $7, $8, $9, $10)
     on conflict do nothing
     returning ${COLUMNS}`,
    [
      charge.accountId,
      charge.reference,
      charge.operation,
      charge.amount,
      charge.currency,
      charge.cardName,
      charge.method,
      charge.saveMandate,
      charge.challengeReturnUrl,
      charge.quantity ?? null,
    ],
  );
}

/** @returns null if the reference exists */
export async function insertTombstone(db: Db, accountId: string, reference: string): Promise<Charge | null> {
  return maybeOne<Charge>(
    db,
    `insert into charges (account_id, reference, operation, amount, currency, status)
     values ($1, $2, 'tombstone', 0, '', 'cancelled')
     on conflict do nothing
     returning ${COLUMNS}`,
    [accountId, reference],
  );
}

export async function findCharge(db: Db, accountId: string, reference: string): Promise<Charge | null> {
  return maybeOne<Charge>(db, `select ${COLUMNS} from charges where account_id = $1 and reference = $2`, [
    accountId,
    reference,
  ]);
}

/** Locks the row until the end of the transaction, so that approval and cancel cannot both win. */
export async function lockCharge(db: Db, accountId: string, reference: string): Promise<Charge | null> {
  return maybeOne<Charge>(
    db,
    `select ${COLUMNS} from charges where account_id = $1 and reference = $2 for update`,
    [accountId, reference],
  );
}

export async function chargeOfChallenge(db: Db, challengeId: string): Promise<Charge | null> {
  return maybeOne<Charge>(db, `select ${COLUMNS} from charges where challenge_id = $1`, [challengeId]);
}

export async function lockChargeOfChallenge(db: Db, challengeId: string): Promise<Charge | null> {
  return maybeOne<Charge>(db, `select ${COLUMNS} from charges where challenge_id = $1 for update`, [
    challengeId,
  ]);
}

/** Locks charges that are due to settle; skips those that another call has locked. */
export async function lockDueCharges(db: Db, limit: number): Promise<Charge[]> {
  return run<Charge>(
    db,
    `select ${COLUMNS} from charges where settles_at <= clock_timestamp()
     order by settles_at limit $1 for update skip locked`,
    [limit],
  );
}

export async function setApproved(db: Db, charge: Charge, mandateId: string | null): Promise<Charge> {
  return update(db, charge, `status = 'approved', mandate_id = $3, settles_at = null, settles_as = null`, [
    mandateId,
  ]);
}

export async function setDeclined(db: Db, charge: Charge, code: RailDecline): Promise<Charge> {
  return update(db, charge, `status = 'declined', decline_code = $3, settles_at = null, settles_as = null`, [
    code,
  ]);
}

export async function setChallenge(db: Db, charge: Charge): Promise<Charge> {
  return update(db, charge, `status = 'requires_action', challenge_id = new_secret('chl_')`, []);
}

/** @param settlesAfterMs null leaves the charge pending until it is cancelled */
export async function setPending(
  db: Db,
  charge: Charge,
  settlesAs: 'approve' | 'decline' | null,
  settlesAfterMs: number | null,
): Promise<Charge> {
  return update(
    db,
    charge,
    `status = 'pending', settles_as = $3, settles_at = clock_timestamp() + $4::float8 * interval '1 ms'`,
    [settlesAs, settlesAfterMs],
  );
}

/** @param approvedAfterMs null leaves the charge cancelled */
export async function setCancelled(db: Db, charge: Charge, approvedAfterMs: number | null): Promise<Charge> {
  return update(
    db,
    charge,
    `status = 'cancelled', settles_as = $3, settles_at = clock_timestamp() + $4::float8 * interval '1 ms'`,
    [approvedAfterMs === null ? null : 'approve', approvedAfterMs],
  );
}

async function update(db: Db, charge: Charge, assignments: string, values: unknown[]): Promise<Charge> {
  return one<Charge>(
    db,
    `update charges set ${assignments}, updated_at = clock_timestamp()
     where account_id = $1 and reference = $2
     returning ${COLUMNS}`,
    [charge.accountId, charge.reference, ...values],
  );
}

export interface ChargePage {
  readonly charges: readonly Charge[];
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * Charges changed at or after an instant, in order of change.
 * @param after `next` of the previous page
 */
export async function listCharges(
  db: Db,
  accountId: string,
  since: string,
  after: string | null,
  limit: number,
): Promise<ChargePage> {
  const [instant, reference] = after?.split('~') ?? [since, ''];
  const rows = await run<Charge & { readonly position: string }>(
    db,
    `select ${COLUMNS},
       to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '~' || reference as position
     from charges
     where account_id = $1 and operation <> 'tombstone' and (updated_at, reference) > ($2::timestamptz, $3)
     order by updated_at, reference limit $4`,
    [accountId, instant, reference, limit],
  );
  return { charges: rows, next: rows.length < limit ? null : (rows.at(-1)?.position ?? null) };
}
