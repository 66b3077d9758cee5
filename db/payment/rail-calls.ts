/** Database writes before and after a call to the rail: the mark, and the answer's details. */
import { z } from 'zod';
import type { LookupPlan } from '../../domain/core/lookup-schedule.ts';
import { CURRENCIES } from '../../domain/core/money.ts';
import type { Resolution } from '../../domain/core/resolution.ts';
import { type Db, sql } from '../core/pool.ts';
import { railAccountColumns, railAccountRow } from '../merchant/rail-account-row.ts';
import { isStopped } from './stored-charge.ts';

const begunCall = z.object({
  ...railAccountRow,
  amount: z.number(),
  currency: z.enum(CURRENCIES),
  customer_id: z.string(),
  save_mandate: z.boolean(),
  /** The quantity that the buyer chose; null if there was no choice. */
  quantity: z.number().nullable(),
  claim_id: z.string(),
  /** Encrypted single-use token of the card fields. */
  method_token: z.instanceof(Buffer),
  /** The page's token, encrypted. */
  page_token: z.instanceof(Buffer),
  page_token_hash: z.instanceof(Buffer),
  /** True for a session so old that the rail may have deleted the idempotency key of a lost first send. */
  key_may_have_expired: z.boolean(),
  ms_left: z.number(),
});
export type BegunCall = z.infer<typeof begunCall>;

/**
 * True if attempt `p` of session `c` may be sent: it is not cancelled, its click has not expired (rule 6), and the
 * invoice of a payment link may still be charged.
 */
const mayBeSent = sql.fragment`coalesce(p.cancel_requested_at, c.cancel_requested_at) is null and exists (
  select from clicks r where r.claim_id = p.claim_id and service_clock() < r.not_after) and not ${isStopped}`;

/** Returns whether an attempt whose mark is set was stopped before it was sent. */
export function isAttemptStopped(db: Db, paymentId: string): Promise<boolean> {
  return db.oneFirst(sql.type(z.object({ is: z.boolean() }))`
    select not (${mayBeSent}) as is from payments p join checkouts c on c.id = p.checkout_id where p.id = ${paymentId}
  `);
}

/**
 * Sets the mark with its deadline (rule 3). An attempt whose click has expired (rule 6), or that the buyer has
 * cancelled, is marked with a past deadline, so that its look-up ends it. A trigger rejects the mark while no money may
 * move (rule 29).
 * @returns null if a call has already begun or must not begin: look the payment up, never charge
 */
export async function beginAuthorize(
  db: Db,
  paymentId: string,
  timeoutSeconds: number,
): Promise<BegunCall | null> {
  const begun = await db.maybeOne(sql.type(
    begunCall.extend({ method_token: begunCall.shape.method_token.nullable() }),
  )`
    update payments p
    set call_started_at = service_clock(),
      call_deadline = case
        when ${mayBeSent} then least(service_clock() + ${timeoutSeconds}::float8 * interval '1 second', c.expires_at)
        else service_clock() end,
      updated_at = greatest(p.updated_at, service_clock())
    from checkouts c, rail_accounts a
    where p.id = ${paymentId} and p.call_started_at is null and p.status = 'processing' and c.id = p.checkout_id
      and a.id = p.rail_account_id
    returning ${railAccountColumns}, p.amount, p.currency, p.customer_id,
      c.terms #> '{price,recurring}' <> 'null'::jsonb or exists (
        select from clicks r where r.claim_id = p.claim_id and r.keeps_method) as save_mandate, c.page_token, c.page_token_hash, p.claim_id,
      (select r.method_token from clicks r where r.claim_id = p.claim_id) as method_token,
      (select r.quantity from clicks r where r.claim_id = p.claim_id) as quantity,
      c.created_at < service_clock() - interval '12 hours' as key_may_have_expired,
      ms_between(service_clock(), p.call_deadline) as ms_left
  `);
  return begun?.method_token && begun.ms_left > 0 ? { ...begun, method_token: begun.method_token } : null;
}

/**
 * Stores the processor's ids before the call that moves money (`storeId` of the rail). Because of this and the
 * deadline, an attempt without an id was provably never charged. A stored id is never replaced.
 * @throws if the call's deadline has passed, or the attempt has another rail reference: charging is forbidden
 */
export async function storeRailId(
  db: Db,
  paymentId: string,
  ids: { readonly railCustomer: string } | { readonly railReference: string },
): Promise<void> {
  const railCustomer = 'railCustomer' in ids ? ids.railCustomer : null;
  const railReference = 'railReference' in ids ? ids.railReference : null;
  const kept = await db.maybeOne(sql.type(z.object({ id: z.string() }))`
    update payments
    set rail_customer_id = coalesce(rail_customer_id, ${railCustomer}::text),
      rail_order_id = coalesce(rail_order_id, ${railReference}::text),
      updated_at = greatest(updated_at, service_clock())
    where id = ${paymentId} and status = 'processing' and service_clock() < call_deadline
      and (rail_customer_id = ${railCustomer}::text) is not false
      and (rail_order_id = ${railReference}::text) is not false
    returning id
  `);
  if (!kept) throw new Error(`${paymentId}: the deadline for charging has passed`);
}

/** The rail's answer about one attempt: the outcome, which may enter a history, and details, which must not. */
export interface Answer<Outcome> {
  readonly attemptId: string;
  readonly outcome: Outcome;
  readonly details: AnswerDetails | null;
}

export interface AnswerToRecord<Outcome> extends Answer<Outcome>, LookupPlan {
  /** The operator's request that caused this look-up, if any. */
  readonly resolution?: Resolution | undefined;
}

export interface AnswerDetails {
  readonly railReference: string | null;
  readonly method: {
    readonly type: string;
    readonly brand: string | null;
    readonly last4: string | null;
  } | null;
  /** Encrypted. */
  readonly mandate: Buffer | null;
  readonly challengeUrl: string | null;
  readonly challengeSeconds: number;
  /** Keyed hash of a declined card's fingerprint; stored only with the count of declines. */
  readonly card?: Buffer | null;
}

/** The method's columns of payment `p`, or of the subscription that begins with it. */
export function methodAsColumns(details: AnswerDetails | null) {
  return sql.fragment`
    payment_method = coalesce(${details?.method ? sql.jsonb(details.method) : null}, p.payment_method),
    credential_secret_ref = coalesce(${details?.mandate ? sql.binary(details.mandate) : null}, p.credential_secret_ref)`;
}

/** Selects the columns of payment `p`, updated from an answer's details; columns without a new value stay unchanged. */
export function detailsAsColumns(details: AnswerDetails) {
  const { railReference, challengeUrl, challengeSeconds } = details;
  return sql.fragment`
    rail_order_id = coalesce(${railReference}, p.rail_order_id), ${methodAsColumns(details)},
    challenge_expires_at = case when ${challengeUrl}::text is null then p.challenge_expires_at
      else coalesce(p.challenge_expires_at, least((select expires_at from checkouts where id = p.checkout_id),
        service_clock() + ${challengeSeconds}::float8 * interval '1 second')) end`;
}

/** Stores details without changing the status: after an attempt has ended, or before its challenge is cancelled. */
export async function storeAnswerDetails(db: Db, paymentId: string, details: AnswerDetails): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update payments p set ${detailsAsColumns(details)}, updated_at = greatest(p.updated_at, service_clock())
    where p.id = ${paymentId}
  `);
}
