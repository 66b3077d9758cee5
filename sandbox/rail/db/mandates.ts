/** Mandates: permission to charge a card off-session. */
import { type Db, maybeOne, one } from './pool.ts';
import type { Method } from './tokens.ts';

export interface Mandate {
  readonly id: string;
  readonly cardName: string;
  readonly method: Method;
  /** Earlier charges. */
  readonly chargesTried: number;
}

export async function createMandate(
  db: Db,
  accountId: string,
  cardName: string,
  method: Method,
): Promise<string> {
  const { id } = await one<{ id: string }>(
    db,
    'insert into mandates (account_id, card_name, method) values ($1, $2, $3) returning id',
    [accountId, cardName, method],
  );
  return id;
}

/** Counts a charge and locks the mandate until the end of the transaction. */
export async function countMandateCharge(db: Db, accountId: string, id: string): Promise<Mandate | null> {
  return maybeOne<Mandate>(
    db,
    `update mandates set charges_tried = charges_tried + 1 where account_id = $1 and id = $2
     returning id, card_name as "cardName", method, charges_tried - 1 as "chargesTried"`,
    [accountId, id],
  );
}
