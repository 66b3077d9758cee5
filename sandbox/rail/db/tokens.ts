/** Single-use card tokens. */
import type { MethodType } from '../../../domain/payment/payment-method.ts';
import { type Db, maybeOne, one } from './pool.ts';

export interface Method {
  readonly type: MethodType;
  readonly brand: string;
  readonly last4: string;
}

export interface Token {
  readonly id: string;
  readonly cardName: string;
  readonly method: Method;
}

const COLUMNS = 'id, card_name as "cardName", method';
const FRESH = `created_at > clock_timestamp() - interval '15 minutes'`;

export async function createToken(
  db: Db,
  accountId: string,
  cardName: string,
  method: Method,
  expiresAt: Date | null,
): Promise<Token> {
  return one<Token>(
    db,
    `insert into tokens (account_id, card_name, method, expires_at) values ($1, $2, $3, $4) returning ${COLUMNS}`,
    [accountId, cardName, method, expiresAt],
  );
}

/** Reads a token without using it. */
export async function peekToken(db: Db, accountId: string, id: string): Promise<Token | null> {
  return maybeOne<Token>(db, `select ${COLUMNS} from tokens where account_id = $1 and id = $2`, [
    accountId,
    id,
  ]);
}

/** @returns null if the token does not exist, has expired or was used by another reference */
export async function spendToken(
  db: Db,
  accountId: string,
  id: string,
  reference: string,
): Promise<Token | null> {
  return maybeOne<Token>(
    db,
    `update tokens set used_by = $3
     where account_id = $1 and id = $2 and used_by is null and ${FRESH}
     returning ${COLUMNS}`,
    [accountId, id, reference],
  );
}
