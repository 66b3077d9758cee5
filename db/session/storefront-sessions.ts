/** Sessions created from a browser, once per operation: the operation's row commits with the session. */
import { z } from 'zod';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { orRefused } from '../core/refused.ts';
import {
  type CreatedSession,
  createdSession,
  createSession,
  type NewSession,
  selectCreatedSession,
} from './create-session.ts';

type Refusal = Extract<Awaited<ReturnType<typeof createSession>>, { refusal: string }>['refusal'];

/** @returns the session, possibly created by an earlier run of the same operation, or the check that failed */
export async function createStorefrontSession(
  pool: Pool,
  operationId: string,
  clientId: string,
  session: NewSession,
): Promise<CreatedSession | Refusal> {
  return orRefused<CreatedSession, Refusal>((refuse) =>
    pool.transaction((tx) => createOnce(tx, operationId, clientId, session, refuse)),
  );
}

async function createOnce(
  tx: Transaction,
  operationId: string,
  clientId: string,
  session: NewSession,
  refuse: (reason: Refusal) => never,
): Promise<CreatedSession> {
  // A concurrent run of the same operation waits here until the first commits.
  const first = await tx.maybeOne(sql.type(z.object({ operation_id: z.string() }))`
    insert into storefront_sessions (operation_id, client_id) values (${operationId}, ${clientId})
    on conflict do nothing returning operation_id
  `);
  if (!first) return madeBefore(tx, operationId);
  const made = await createSession(tx, session);
  if (made.refusal !== null) return refuse(made.refusal);
  await tx.query(sql.typeAlias('void')`
    update storefront_sessions set checkout_id = ${made.id} where operation_id = ${operationId}
  `);
  return made;
}

function madeBefore(tx: Transaction, operationId: string): Promise<CreatedSession> {
  return tx.one(sql.type(createdSession)`
    select ${selectCreatedSession}
    from storefront_sessions s join checkouts c on c.id = s.checkout_id
    where s.operation_id = ${operationId}
  `);
}
