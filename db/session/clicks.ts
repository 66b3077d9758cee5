/** Clicks on "Pay", stored before the workflow is called, so that no token or email reaches Temporal. */
import { z } from 'zod';
import { type Db, type Pool, sql } from '../core/pool.ts';
import { lockSession } from './core/session-row.ts';

/** Leaves a claim that is checked just before its deadline time to commit. */
export const CLAIM_COMMIT_GRACE = sql.fragment`interval '2 seconds'`;

/** A click, with the data that the page sent (`clickBody` of page/http/click.ts). */
export interface Click {
  readonly claimId: string;
  readonly checkoutId: string;
  readonly methodType: string;
  /** Encrypted. */
  readonly methodToken: Buffer;
  /** The email that the buyer typed or confirmed; null if the customer already has a confirmed email. */
  readonly email: string | null;
  readonly name?: string | null | undefined;
  readonly quantity?: number | null | undefined;
  readonly amount?: number | null | undefined;
  readonly couponId?: string | null | undefined;
  readonly openedAt?: string | null | undefined;
  readonly keepsMethod?: boolean | null | undefined;
  readonly proved?: boolean | undefined;
  /** Keyed hash of the card. */
  readonly card?: Buffer | null;
  /** Keyed hash of the buyer's network; if absent, declines are not counted by network. */
  readonly address?: Buffer | null;
}

const storedClick = z.object({ payable: z.boolean(), stored: z.boolean() });

/**
 * Stores a click on a payable session, by the database's clock. The click is valid for `validSeconds`, but not beyond
 * the session's expiry. Idempotent.
 *
 * @returns `taken` if the click's id belongs to another session
 */
export async function insertClick(
  db: Db,
  click: Click,
  validSeconds: number,
): Promise<'stored' | 'not_payable' | 'taken'> {
  const { payable, stored } = await db.one(sql.type(storedClick)`
    with payable as (
      select id, merchant_id, environment, created_at, invoice_id, least(expires_at, service_clock() + ${validSeconds}::float8 * interval '1 second') as not_after
      from checkouts where id = ${click.checkoutId} and state = 'created' and service_clock() < expires_at
    ), ${spelling(click.name ?? null)} stored as (
      insert into clicks (claim_id, merchant_id, environment, checkout_id, method_type, method_token, email, quantity,
        not_after, address, opened_at, keeps_method, amount, coupon_id, card, proved)
      select ${click.claimId}, merchant_id, environment, id, ${click.methodType}, ${sql.binary(click.methodToken)}, ${click.email},
        ${click.quantity ?? null}, not_after,
        ${click.address ? sql.binary(click.address) : null}::bytea,
        -- As reported by the browser, but limited to the time between the session's creation and now.
        case when ${click.openedAt ?? null}::timestamptz is not null
          then least(greatest(${click.openedAt ?? null}::timestamptz, created_at), service_clock()) end,
        ${click.keepsMethod ?? false} and invoice_id is not null, ${click.amount ?? null},
        ${click.couponId ?? null}, ${click.card ? sql.binary(click.card) : null}::bytea, ${click.proved ?? false}
      from payable
      on conflict (claim_id) do update set claim_id = excluded.claim_id
        where clicks.checkout_id = excluded.checkout_id
      returning claim_id
    )
    select exists (select from payable) as payable, exists (select from stored) as stored
  `);
  if (stored) return 'stored';
  return payable ? 'taken' : 'not_payable';
}

/** Stores the name as the buyer spelt it with the session's details (`buyer-details.ts`), if these contain a name. */
function spelling(name: string | null) {
  return name === null
    ? sql.fragment``
    : sql.fragment`spelt as (
      update checkouts set buyer = jsonb_set(buyer, '{name}', to_jsonb(${name}::text))
      where id in (select id from payable) and buyer ? 'name'
    ),`;
}

/** Voids a click that the workflow rejected or answered with another attempt. */
export async function closeClick(db: Db, checkoutId: string, claimId: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update clicks set not_after = least(not_after, service_clock() - ${CLAIM_COMMIT_GRACE}), method_token = null,
      address = null, card = null
    where claim_id = ${claimId} and checkout_id = ${checkoutId}
      and not exists (select from payments p where p.claim_id = clicks.claim_id)
  `);
}

/** Marks a click whose update may still arrive. Marking every click would cost each purchase a write. */
export async function markPossiblySent(db: Db, claimId: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update clicks set possibly_sent = true where claim_id = ${claimId} and not possibly_sent`);
}

/**
 * Withdraws a click that was not sent to the workflow, unless another request of the same click was faster and has an
 * attempt, or has sent its update. `claimAttempt` takes the same lock, so the two cannot race.
 * @param mayReturn true if the same click may be stored again, with its proof
 * @returns false if the click has an attempt, or its update may have been sent
 */
export function withdrawClick(
  pool: Pool,
  checkoutId: string,
  claimId: string,
  mayReturn: boolean,
): Promise<boolean> {
  return pool.transaction(async (tx) => {
    await lockSession(tx, checkoutId);
    const isSent = await tx.exists(sql.typeAlias('void')`
      select from payments where claim_id = ${claimId}
      union all select from clicks where claim_id = ${claimId} and possibly_sent`);
    if (isSent) return false;
    if (!mayReturn) await closeClick(tx, checkoutId, claimId);
    else
      await tx.query(sql.typeAlias('void')`
        delete from clicks where claim_id = ${claimId} and checkout_id = ${checkoutId} and not proved`);
    return true;
  });
}
