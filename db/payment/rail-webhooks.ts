/** Webhooks of rails: stored under the rail's event id, trusted only after a look-up (rule 24). */
import { z } from 'zod';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../domain/payment/payment.ts';
import { type Db, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';

export interface WebhookToStore {
  readonly railAccountId: string;
  readonly railEventId: string;
  readonly reference: string | null;
  /** The processor's id of the payment, if the webhook has no reference. */
  readonly railReference?: string;
  readonly hint: string;
}

/**
 * Matches rows of `rail_webhooks` with a payment: a webhook counts only for payments of the account that sent it (rule
 * 32). `db/dispute/disputed-payments.ts` handles disputes.
 */
export function isWebhookAbout(paymentId: string) {
  return sql.fragment`reference = ${paymentId}
    and rail_account_id = (select rail_account_id from payments where id = ${paymentId}) and hint <> 'dispute'`;
}

/**
 * True for payments `p` with a call that may still be answered: their webhooks wait as rows (rule 38). A webhook that
 * the answer does not settle is presented after the call, or by the sweep.
 */
export const IN_CALL = sql.fragment`
  (p.status = 'processing' and p.call_started_at is not null and service_clock() < p.call_deadline)`;

const storedWebhook = z.object({
  payment_id: z.string().nullable(),
  /** The session or subscription whose workflow owns the payment. */
  owner_id: z.string().nullable(),
  merchant_id: z.string().nullable(),
  environment: z.enum(['sandbox', 'production']).nullable(),
  status: z.enum(PAYMENT_STATUSES).nullable(),
  /** True while a call about the payment may be in flight. */
  in_call: z.boolean(),
  applied: z.boolean(),
});
export type StoredWebhook = z.infer<typeof storedWebhook>;

/**
 * Stores the webhook, idempotently, and finds its subject. A webhook without a subject needs no look-up, except a
 * dispute that names a payment by the processor's id, which may be stored here later.
 */
export async function storeRailWebhook(db: Db, webhook: WebhookToStore): Promise<StoredWebhook> {
  await db.query(sql.typeAlias('void')`
    insert into rail_webhooks (rail_account_id, rail_event_id, reference, rail_reference, hint, applied_at)
    select ${webhook.railAccountId}, ${webhook.railEventId}, about.reference, about.rail_reference, ${webhook.hint},
      case when about.reference is null and (about.rail_reference is null or ${webhook.hint} <> 'dispute')
        then service_clock() end
    from (select coalesce(${webhook.reference}::text, (
      select id from payments
      where rail_account_id = ${webhook.railAccountId} and rail_order_id = ${webhook.railReference ?? null}
      limit 1)) as reference, ${webhook.railReference ?? null}::text as rail_reference) about
    on conflict do nothing
  `);
  return db.one(sql.type(storedWebhook)`
    select p.id as payment_id, coalesce(p.checkout_id, i.subscription_id) as owner_id, p.merchant_id, p.environment,
      p.status, coalesce(${IN_CALL}, false) as in_call, n.applied_at is not null as applied
    from rail_webhooks n
    left join payments p on p.id = n.reference and p.rail_account_id = n.rail_account_id
    left join invoices i on i.id = p.invoice_id
    where n.rail_account_id = ${webhook.railAccountId} and n.rail_event_id = ${webhook.railEventId}
  `);
}

/** A hint that the service itself writes when an operator has settled a call that the rail had not answered. */
export const SETTLED_BY_OPERATOR = 'settled_by_operator';

/**
 * Stores the service's own hint in the transaction in which an operator settles without the rail's answer. Like a
 * webhook from the rail, the hint stays unapplied until the rail answers (rule 35).
 */
export async function askUntilAnswered(db: Db, settled: 'payment' | 'refund', id: string): Promise<void> {
  const table = sql.identifier([`${settled}s`]);
  await db.query(sql.typeAlias('void')`
    insert into rail_webhooks (rail_account_id, rail_event_id, reference, hint)
    select rail_account_id, 'settled-' || id, id, ${SETTLED_BY_OPERATOR} from ${table}
    where id = ${id} and rail_account_id is not null
    on conflict do nothing
  `);
}

/**
 * Returns whether an operator settled this session, subscription or refund without the rail's answer, and the rail has
 * not answered since.
 */
export function isUnconfirmed(db: Db, subjectId: string): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select from rail_webhooks
    where hint = ${SETTLED_BY_OPERATOR} and applied_at is null and reference in (
      select ${subjectId}
      union all select id from payments where checkout_id = ${subjectId}
      union all select p.id from payments p join invoices i on i.id = p.invoice_id
      where i.subscription_id = ${subjectId}
    )
  `);
}

/**
 * Marks webhooks with the same outcome as applied, which saves a look-up. Call in the transaction that changed the
 * payment's status.
 */
export async function applyAgreeingWebhooks(db: Db, paymentId: string, status: PaymentStatus): Promise<void> {
  if (HINTS_THAT_AGREE[status])
    await db.query(sql.typeAlias('void')`${agreeingWebhooksApplied(paymentId, status)}`);
}

/** Builds the update of `applyAgreeingWebhooks`, for a statement that writes more. */
export function agreeingWebhooksApplied(paymentId: string, status: PaymentStatus) {
  const hints = HINTS_THAT_AGREE[status] ?? [];
  return sql.fragment`
    update rail_webhooks set applied_at = service_clock()
    where ${isWebhookAbout(paymentId)} and applied_at is null and hint = any (${sql.array([...hints], 'text')})`;
}

const IN_PASSING = ['challenge', 'pending', 'other'];
export const HINTS_THAT_AGREE: Readonly<Partial<Record<PaymentStatus, readonly string[]>>> = {
  requires_action: ['challenge'],
  succeeded: [...IN_PASSING, 'approved'],
  partially_refunded: [...IN_PASSING, 'approved', 'refunded'],
  refunded: [...IN_PASSING, 'approved', 'refunded'],
  failed: [...IN_PASSING, 'declined', 'cancelled'],
  cancelled: [...IN_PASSING, 'declined', 'cancelled'],
};

/** Returns whether an unapplied webhook differs from the outcome of a call. */
export function hasWebhookBeside(db: Db, paymentId: string, outcome: string): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select from rail_webhooks where ${isWebhookAbout(paymentId)} and applied_at is null and hint <> ${outcome}`);
}

/** Returns the session or subscription whose workflow owns the payment. */
export function ownerOfPayment(db: Db, paymentId: string): Promise<string | null> {
  return db.maybeOneFirst(sql.type(z.object({ owner_id: z.string().nullable() }))`
    select coalesce(p.checkout_id, i.subscription_id) as owner_id
    from payments p left join invoices i on i.id = p.invoice_id where p.id = ${paymentId}`);
}

/**
 * Marks webhooks as presented to a look-up, which may stay unanswered. Other webhooks are looked up before these are
 * looked up again.
 */
export async function presentWebhooks(
  db: Db,
  asked: readonly { readonly railAccountId: string; readonly railEventIds: readonly string[] }[],
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update rail_webhooks n set presented_at = service_clock()
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked ("railAccountId" text, "railEventIds" jsonb)
    where n.rail_account_id = asked."railAccountId" and asked."railEventIds" ? n.rail_event_id
  `);
}

/** Marks exactly these webhooks as applied. Call in the transaction that evaluated their look-up. */
export async function applyWebhooks(
  db: Db,
  railAccountId: string,
  railEventIds: readonly string[],
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update rail_webhooks set applied_at = service_clock()
    where rail_account_id = ${railAccountId} and rail_event_id = any(${sql.array([...railEventIds], 'text')})
      and applied_at is null
  `);
}

/** Marks all webhooks received before a look-up as applied. Call in the transaction that evaluated the look-up. */
export async function applyWebhooksReceivedBefore(db: Db, paymentId: string, askedAt: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update rail_webhooks set applied_at = service_clock()
    where ${isWebhookAbout(paymentId)} and applied_at is null and received_at <= ${askedAt}
  `);
}

/**
 * Deletes applied webhooks, oldest first, except those about failed returns, which are still counted
 * (`countFailedReturns`).
 * @returns how many were deleted
 */
export async function deleteOldRailWebhooks(db: Db, keptDays: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(sql.typeAlias('void')`
    delete from rail_webhooks where ctid = any (array(
      select ctid from rail_webhooks
      where applied_at is not null and received_at < ${NOW} - ${keptDays} * interval '1 day'
        and not (hint = 'refund_failed' and coalesce(reference, '') like 'ap_pay%-return')
      order by received_at limit ${limit}
    ))
  `);
  return rowCount;
}
