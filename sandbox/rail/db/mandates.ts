/** Mandates: permission to charge a card off-session. */
import { type Db, maybeOne, one } from './pool.ts';
import type { Method } from './tokens.ts';

export interface Mandate {
  readonly id: string;
  readonly cardName: string;
  readonly method: Method;
  /** True if the charge is due after the card's expiry. */
  readonly expired: boolean;
  /** Number of earlier charges. */
  readonly chargesTried: number;
}

/** Creates the mandate of the charge `reference`, with the expiry of its token's card. Returns the mandate's id. */
export async function createMandate(
  db: Db,
  accountId: string,
  cardName: string,
  method: Method,
  reference: string,
): Promise<string> {
  const { id } = await one<{ id: string }>(
    db,
    `insert into mandates (account_id, card_name, method, expires_at)
     values ($1, $2, $3, (select expires_at from tokens where account_id = $1 and used_by = $4)) returning id`,
    [accountId, cardName, method, reference],
  );
  return id;
}

/**
 * Counts a charge and locks the mandate until the end of the transaction.
 * @param at when the charge is due; now by default
 */
export async function countMandateCharge(
  db: Db,
  accountId: string,
  id: string,
  at: string | undefined,
): Promise<Mandate | null> {
  return maybeOne<Mandate>(
    db,
    `update mandates set charges_tried = charges_tried + 1 where account_id = $1 and id = $2
     returning id, card_name as "cardName", method, charges_tried - 1 as "chargesTried",
       coalesce(expires_at <= coalesce($3::timestamptz, clock_timestamp()), false) as expired`,
    [accountId, id, at ?? null],
  );
}
