/**
 * While the database is compared with the rail, no money may move (rule 29): the database rejects every statement that
 * would move it.
 */
import { z } from 'zod';
import { type Db, sql } from './pool.ts';

/** SQLSTATE raised by `assert_money_may_move()`; class 57 counts as unavailable. */
const HELD = '57R01';

export function isMoneyHeld(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as { code?: unknown }).code === HELD || isMoneyHeld(error.cause);
}

export function moneyMayMove(db: Db): Promise<boolean> {
  return db.oneFirst(sql.type(z.object({ may: z.boolean() }))`select money_may_move() as may`);
}

/** Call before a movement of money that stores no mark. @throws while no money may move */
export async function assertMoneyMayMove(db: Db): Promise<void> {
  await db.query(sql.typeAlias('void')`select assert_money_may_move()`);
}
