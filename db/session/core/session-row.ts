/** Locks a session's row in a transaction, which is the only way to change its state. */
import { z } from 'zod';
import { sessionTerms } from '../../../contract/session/terms.ts';
import { ENVIRONMENTS } from '../../../domain/core/environment.ts';
import { CURRENCIES } from '../../../domain/core/money.ts';
import {
  canTransition,
  isFinal,
  SESSION_FAILURE_REASONS,
  SESSION_STATES,
  type SessionFailureReason,
  type SessionState,
} from '../../../domain/session/session.ts';
import { countStep } from '../../../platform/observability/state-changes.ts';
import { sql, type Transaction } from '../../core/pool.ts';
import { rowOrNotFound } from '../../core/row-not-found.ts';
import { afterCommit } from '../../core/transaction.ts';
import { type LockedPayment, lockedPayment, paymentAsJson } from '../../payment/payment-row.ts';

const lockedSession = z.object({
  id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  source: z.enum(['checkout', 'checkout_client']),
  customer_id: z.string(),
  rail: z.string(),
  amount: z.number(),
  quantity: z.number(),
  coupon_id: z.string().nullable(),
  refused_codes: z.number(),
  currency: z.enum(CURRENCIES),
  terms: sessionTerms,
  merchant_reference: z.string().nullable(),
  state: z.enum(SESSION_STATES),
  version: z.number(),
  failure_reason: z.enum(SESSION_FAILURE_REASONS).nullable(),
  max_attempts: z.number(),
  attempts: z.number(),
  expires_at: z.string(),
  ms_to_expiry: z.number(),
  expired: z.boolean(),
  cancel_requested: z.boolean(),
  /** The subscription whose payment method is changed, or whose invoice is paid; null for a purchase. */
  subscription_id: z.string().nullable(),
  /** The invoice that a payment link pays. */
  invoice_id: z.string().nullable(),
});
export type LockedSession = z.infer<typeof lockedSession>;

/** Columns of session `c` and its rail account `a`. */
const columns = sql.fragment`
  c.id, c.merchant_id, c.environment, c.source, c.customer_id, a.rail, c.amount, c.quantity, c.coupon_id, c.refused_codes, c.currency, c.terms, c.merchant_reference, c.state,
  c.version, c.failure_reason, c.max_attempts, (select count(*) from payments where checkout_id = c.id) as attempts,
  c.expires_at, ms_between(service_clock(), c.expires_at) as ms_to_expiry,
  ms_to_expiry(c.expires_at) <= 0 as expired, c.cancel_requested_at is not null as cancel_requested,
  c.subscription_id, c.invoice_id`;

/** @throws RowNotFound */
export async function lockSession(tx: Transaction, checkoutId: string): Promise<LockedSession> {
  const row = await tx.maybeOne(sql.type(lockedSession)`
    select ${columns}
    from checkouts c
    join rail_accounts a on a.id = c.rail_account_id
    where c.id = ${checkoutId}
    for update of c
  `);
  return rowOrNotFound(row, checkoutId);
}

const lockedTogether = lockedSession.extend({ payment: lockedPayment });

/**
 * Locks first the session, then its payment, in one statement.
 *
 * @returns no `payment` if its row does not exist (rule 30) or belongs to another session
 * @throws RowNotFound
 */
export async function lockSessionAndPayment(
  tx: Transaction,
  checkoutId: string,
  paymentId: string,
): Promise<{ readonly session: LockedSession; readonly payment: LockedPayment | null }> {
  const row = await tx.maybeOne(sql.type(lockedTogether)`
    select ${columns}, ${paymentAsJson} as payment
    from checkouts c
    join rail_accounts a on a.id = c.rail_account_id
    join payments p on p.id = ${paymentId} and p.checkout_id = c.id
    where c.id = ${checkoutId}
    for update of c, p
  `);
  if (!row) return { session: await lockSession(tx, checkoutId), payment: null };
  const { payment, ...session } = row;
  return { session, payment };
}

/** Selects the end of a challenge: its own time limit or the session's (`nextAction` of domain/session/session.ts). */
const endOfChallenge = sql.fragment`
  least(expires_at, (
    select max(challenge_expires_at) from payments
    where checkout_id = checkouts.id and status = 'requires_action'
  ))`;

interface Transition {
  readonly failureReason?: SessionFailureReason | null;
  readonly nextActionSeconds?: number | null;
}

/**
 * Transitions a locked session, raises its version and notifies open pages. If the state does not change, only updates
 * `next_action_at`, if `nextActionSeconds` is given. For a new state, `nextActionSeconds` null means: at the
 * challenge's end, at expiry, or never once the state is final.
 * @throws on an illegal transition, which is a bug
 */
export async function transitionSession(
  tx: Transaction,
  session: LockedSession,
  to: SessionState,
  { failureReason = null, nextActionSeconds = null }: Transition = {},
): Promise<LockedSession> {
  const after = checkAndCountTransition(tx, session, to, failureReason);
  const nextActionAt = sql.fragment`
    greatest(service_clock() + ${nextActionSeconds}::float8 * interval '1 second',
      ${to === 'requires_action' ? endOfChallenge : sql.fragment`null`})`;
  if (session.state !== to) {
    await tx.query(sql.typeAlias('void')`
      with moved as (
        update checkouts set state = ${to}, failure_reason = ${failureReason}, version = version + 1,
          finished_at = case when ${isFinal(to)} then service_clock() end,
          next_action_at = case when ${isFinal(to)} then null else coalesce(${nextActionAt}, expires_at) end
        where id = ${session.id}
        returning id
      )
      select pg_notify('checkout_changed', id) from moved
    `);
  } else if (nextActionSeconds !== null) {
    await tx.query(sql.typeAlias('void')`
      update checkouts set next_action_at = ${nextActionAt} where id = ${session.id}
    `);
  }
  return after;
}

/**
 * Checks a transition without writing it, and counts the conversion step after the commit. A claim and a paid purchase
 * write the transition themselves, in larger statements.
 *
 * @returns the session after the transition
 * @throws on an illegal transition
 */
export function checkAndCountTransition(
  tx: Transaction,
  session: LockedSession,
  to: SessionState,
  failureReason: SessionFailureReason | null = null,
): LockedSession {
  if (session.state === to) return session;
  if (!canTransition(session.state, to))
    throw new Error(`${session.id}: illegal transition from ${session.state} to ${to}`);
  afterCommit(tx, () => countTransition(session, to, failureReason));
  return { ...session, state: to, failure_reason: failureReason, version: session.version + 1 };
}

/** Counts each step once per session: a second attempt or its challenge is not another step of the conversion. */
function countTransition(
  session: LockedSession,
  to: SessionState,
  reason: SessionFailureReason | null,
): void {
  if (isFinal(to)) countStep(session, to === 'succeeded' ? 'succeeded' : 'failed', reason);
  else if (to === 'processing' && session.state === 'created' && session.attempts === 0)
    countStep(session, 'attempted');
  else if (to === 'requires_action' && session.attempts === 1) countStep(session, 'challenged');
}
