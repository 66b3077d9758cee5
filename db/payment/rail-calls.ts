/** Database state around a call to the rail: the mark before it, the answer's details after it. */
import { z } from 'zod';
import { CURRENCIES } from '../../domain/core/money.ts';
import { DECLINE_CODES, type FinalOutcome } from '../../domain/payment/attempt.ts';
import { type Db, sql } from '../core/pool.ts';
import { railAccountColumns, railAccountRow } from '../merchant/rail-account-row.ts';
import { OPEN_STATUSES } from './open-payment.ts';

const begunCall = z.object({
  ...railAccountRow,
  amount: z.number(),
  currency: z.enum(CURRENCIES),
  save_mandate: z.boolean(),
  claim_id: z.string(),
  /** Encrypted single-use token of the card fields. */
  method_token: z.instanceof(Buffer),
  /** The page's token, encrypted. */
  page_token: z.instanceof(Buffer),
  page_token_hash: z.instanceof(Buffer),
  /** The session is old enough for the rail to have dropped the idempotency key of a lost first send. */
  named_long_ago: z.boolean(),
  ms_left: z.number(),
});
export type BegunCall = z.infer<typeof begunCall>;

/**
 * Sets the mark with its deadline (rule 3). An attempt whose click has lapsed (rule 6) or that the buyer has
 * cancelled is marked as well, with a past deadline: its look-up ends it. A trigger refuses the mark while no money
 * may move (rule 29).
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
        when coalesce(p.cancel_requested_at, c.cancel_requested_at) is null and exists (
          select from pay_requests r
          where r.claim_id = p.claim_id and service_clock() < r.not_after
        ) then least(service_clock() + ${timeoutSeconds}::float8 * interval '1 second', c.expires_at)
        else service_clock() end,
      updated_at = service_clock()
    from checkouts c, rail_accounts a
    where p.id = ${paymentId} and p.call_started_at is null and p.status = 'processing' and c.id = p.checkout_id
      and a.id = p.rail_account_id
    returning ${railAccountColumns}, p.amount, p.currency,
      c.terms #> '{price,recurring}' <> 'null'::jsonb as save_mandate, c.page_token, c.page_token_hash, p.claim_id,
      (select r.method_token from pay_requests r where r.claim_id = p.claim_id) as method_token,
      c.created_at < service_clock() - interval '12 hours' as named_long_ago,
      ms_between(service_clock(), p.call_deadline) as ms_left
  `);
  return begun?.method_token && begun.ms_left > 0 ? { ...begun, method_token: begun.method_token } : null;
}

const begunStoredCharge = z.object({
  ...railAccountRow,
  amount: z.number(),
  currency: z.enum(CURRENCIES),
  /** Encrypted reference of the mandate; null when none was stored. */
  mandate: z.instanceof(Buffer).nullable(),
  customer_id: z.string(),
  /** By the subscription's clock. */
  at: z.string(),
  ms_left: z.number(),
});
export type BegunStoredCharge = z.infer<typeof begunStoredCharge>;

/**
 * Whether the subscription of charge `p` has lost a dispute, or its merchant has cancelled it: nothing is charged
 * again.
 */
const isStopped = sql.fragment`exists (
  select from invoices i join subscriptions s on s.id = i.subscription_id
  where i.id = p.invoice_id and (s.charging_stopped_at is not null or s.cancel_requested_at is not null))`;

/**
 * Same as `beginAuthorize`, for an off-session charge. A charge whose subscription lost a dispute or was cancelled
 * after the claim is never sent.
 */
export async function beginChargeStored(
  db: Db,
  paymentId: string,
  timeoutSeconds: number,
): Promise<BegunStoredCharge | null> {
  const begun = await db.maybeOne(sql.type(begunStoredCharge)`
    update payments p
    set call_started_at = service_clock(),
      call_deadline = service_clock()
        + case when ${isStopped} then 0 else ${timeoutSeconds}::float8 end * interval '1 second'
    from rail_accounts a, orders o
    where p.id = ${paymentId} and p.call_started_at is null and p.status = 'processing' and p.checkout_id is null
      and o.id = p.order_id and a.id = p.rail_account_id
    returning ${railAccountColumns}, p.amount, p.currency, p.credential_secret_ref as mandate, o.customer_id,
      (select subscription_clock(i.subscription_id) from invoices i where i.id = p.invoice_id) as at,
      ms_between(service_clock(), p.call_deadline) as ms_left
  `);
  return begun && begun.ms_left > 0 ? begun : null;
}

/**
 * Extends the deadline of a call whose reference the rail already knows: "not found" becomes final only after the
 * rail's search lag (rule 4).
 */
export async function waitForUsedName(db: Db, paymentId: string, searchLagMs: number): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update payments
    set call_deadline = greatest(call_deadline, service_clock() + ${searchLagMs}::float8 * interval '1 ms')
    where id = ${paymentId}
  `);
}

/** The call's deadline has passed, or the attempt has another rail reference: charging is forbidden. */
export class TooLateToCharge extends Error {
  override readonly name = 'TooLateToCharge';
}

/**
 * Stores the processor's ids before the call that moves money (`remember` of the rail). Together with the deadline,
 * this proves that an attempt without an id was never charged. A stored id is never replaced.
 * @throws TooLateToCharge
 */
export async function rememberAtRail(
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
  if (!kept) throw new TooLateToCharge(`${paymentId}: the deadline for charging has passed`);
}

const finalOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['approved', 'cancelled']) }),
  z.object({ kind: z.literal('declined'), code: z.enum(DECLINE_CODES), retryable: z.boolean() }),
]);

const paymentAtRail = z.object({
  ...railAccountRow,
  amount: z.number(),
  currency: z.enum(CURRENCIES),
  rail_order_id: z.string().nullable(),
  rail_customer_id: z.string().nullable(),
  begun_at: z.string(),
  /**
   * Time since the last call's deadline; negative while a call may still be running. For an attempt that
   * ended without a call: since its claim.
   */
  ms_past_deadline: z.number(),
  /** Not recorded yet. */
  kept_answer: finalOutcome.nullable(),
});
export type PaymentAtRail = z.infer<typeof paymentAtRail>;

/** Null when the row is gone (rule 30). */
export function paymentAtRailOf(db: Db, paymentId: string): Promise<PaymentAtRail | null> {
  return db.maybeOne(sql.type(paymentAtRail)`
    select ${railAccountColumns}, p.amount, p.currency, p.rail_order_id, p.rail_customer_id, p.kept_answer,
      -- Counts from the claim: a lost copy of the database may have sent it before this one set its mark (rule 4).
      least(p.created_at, p.call_started_at) as begun_at,
      coalesce(ms_between(coalesce(p.call_deadline, case when p.status not in ${OPEN_STATUSES} then p.created_at end),
        service_clock()), 0) as ms_past_deadline
    from payments p
    join rail_accounts a on a.id = p.rail_account_id
    where p.id = ${paymentId}
  `);
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
  /** Keyed hash of a declined card's fingerprint, which only the decline's count keeps. */
  readonly card?: Buffer | null;
}

/** The customer whose mandate an attempt uses or creates. */
export function customerOfPayment(db: Db, paymentId: string): Promise<string> {
  return db.oneFirst(sql.type(z.object({ customer_id: z.string() }))`
    select coalesce(c.customer_id, o.customer_id) as customer_id
    from payments p left join checkouts c on c.id = p.checkout_id left join orders o on o.id = p.order_id
    where p.id = ${paymentId}
  `);
}

/** Columns of payment `p` completed from an answer's details; columns without a new value are kept. */
export function detailsAsColumns({ railReference, method, mandate }: AnswerDetails) {
  return sql.fragment`
    rail_order_id = coalesce(${railReference}, p.rail_order_id),
    payment_method = coalesce(${method ? sql.jsonb(method) : null}, p.payment_method),
    credential_secret_ref = coalesce(${mandate ? sql.binary(mandate) : null}, p.credential_secret_ref)`;
}

/** Stores details only; the workflow's transaction records the outcome. */
export async function storeAnswerDetails(db: Db, paymentId: string, details: AnswerDetails): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update payments p
    set ${detailsAsColumns(details)},
      challenge_url = coalesce(${details.challengeUrl}, p.challenge_url),
      challenge_expires_at = case when ${details.challengeUrl}::text is null then p.challenge_expires_at
        else coalesce(p.challenge_expires_at, least((select expires_at from checkouts where id = p.checkout_id),
          service_clock() + ${details.challengeSeconds}::float8 * interval '1 second')) end,
      -- A charge on a sandbox clock that is ahead never moves it back.
      updated_at = greatest(p.updated_at, service_clock())
    where p.id = ${paymentId}
  `);
}

/** Keeps a final answer that could not be recorded (rule 40), with its details. */
export async function keepAnswer(
  db: Db,
  paymentId: string,
  answer: FinalOutcome,
  details: AnswerDetails | null,
): Promise<void> {
  const columns = details ? sql.fragment`, ${detailsAsColumns(details)}` : sql.fragment``;
  await db.query(sql.typeAlias('void')`
    update payments p set kept_answer = ${sql.jsonb(answer)}${columns}
    where p.id = ${paymentId} and p.status in ${OPEN_STATUSES}
  `);
}
