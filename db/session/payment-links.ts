/** Payment links: hosted sessions on which a subscription's unpaid invoice is paid with any method. */
import { z } from 'zod';
import type { Scope } from '../../domain/core/environment.ts';
import { refusalOf, refusalsOf } from '../../domain/subscription/operations.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { payableInvoice } from '../subscription/core/subscription-invoices.ts';
import { operable } from '../subscription/core/subscription-operations.ts';
import { lockSubscription } from '../subscription/core/subscription-row.ts';
import { termsOfOffer } from './core/session-terms.ts';
import { createdSession, type NewPageToken, selectCreatedSession, selectOutcome } from './create-session.ts';
import { offerTo } from './method-changes.ts';

const LINK_LIFETIME_SECONDS = 86_400;

export interface NewPaymentLink {
  readonly scope: Scope;
  readonly subscriptionId: string;
  readonly invoiceId: string;
  readonly pageToken: NewPageToken;
  readonly maxAttempts: number;
  /** The adapters of this installation; accounts of other adapters cannot be used. */
  readonly railNames: readonly string[];
}

/** Refusals in the order of the checks. */
export const PAYMENT_LINK_ERRORS = [
  'invoice_not_payable',
  ...refusalsOf('linkInvoice'),
  'invoice_older_unpaid',
  'payment_rail_activation_in_progress',
  'payment_rail_unavailable',
] as const;
type Refusal = (typeof PAYMENT_LINK_ERRORS)[number];

const refused = z.object({
  refusal: z.enum(PAYMENT_LINK_ERRORS),
  rail_out_seconds: z.number().nullable(),
});
const outcome = z.union([createdSession, refused]);

/** Creates a link, or returns the invoice's open one. */
export function createPaymentLink(pool: Pool, link: NewPaymentLink): Promise<z.infer<typeof outcome>> {
  return pool.transaction(async (tx) => {
    const refusal = await refusalNow(tx, link);
    if (refusal) return { refusal, rail_out_seconds: null };
    return (await findOpenLink(tx, link.invoiceId)) ?? insert(tx, link);
  });
}

async function refusalNow(tx: Transaction, link: NewPaymentLink): Promise<Refusal | null> {
  const subscription = await lockSubscription(tx, link.subscriptionId);
  const invoice = await payableInvoice(tx, link);
  if (invoice === 'invoice_not_payable') return invoice;
  const refusal = refusalOf('linkInvoice', operable(subscription));
  if (refusal) return refusal;
  return typeof invoice === 'string' ? invoice : null;
}

/** Inserts the link for the draft invoice of a change. @returns false if no account can take the payment */
export async function offerLink(tx: Transaction, link: NewPaymentLink): Promise<boolean> {
  return (await insert(tx, link)).refusal === null;
}

function findOpenLink(tx: Transaction, invoiceId: string) {
  return tx.maybeOne(sql.type(createdSession)`
    select ${selectCreatedSession} from checkouts c
    where c.invoice_id = ${invoiceId} and c.state not in ('succeeded', 'failed') and c.expires_at > service_clock()
    order by c.expires_at desc limit 1
  `);
}

/**
 * The terms describe a single payment of the amount due. For an invoice with several tax rates, they show no tax: only
 * the invoice's document itemises it.
 */
function insert(tx: Transaction, link: NewPaymentLink): Promise<z.infer<typeof outcome>> {
  const { scope, pageToken } = link;
  const offer = offerTo({ ...link, externalCustomerId: null }, link.invoiceId);
  return tx.one(sql.type(outcome)`
    with offer as materialized (${offer}),
    verdict as materialized (
      select offer.*, i.amount_due, (
          select case when count(distinct line -> 'tax_rate') = 1 then min((line ->> 'tax_rate')::numeric) else 0 end
          from jsonb_array_elements(i.line_items) line
        ) as rate, case
        when rail_status = 'activating' then 'payment_rail_activation_in_progress'
        when not rail_fits or rail_out_seconds is not null then 'payment_rail_unavailable'
      end as refusal
      from offer join invoices i on i.id = ${link.invoiceId}
    ),
    session as (
      insert into checkouts (id, page_token_hash, page_token, purpose, subscription_id, invoice_id, merchant_id,
        environment, customer_id, product_id, price_id, rail_account_id, amount, currency, terms, max_attempts,
        created_at, expires_at, next_action_at)
      select new_id('ap_lnk_'), ${sql.binary(pageToken.hash)}, ${sql.binary(pageToken.sealed)}, 'payment_link',
        subscription_id, ${link.invoiceId}, ${scope.merchantId}, ${scope.environment}, customer_id, product_id,
        price_id, rail_account_id, amount_due, currency,
        ${termsOfOffer} || jsonb_build_object('price', jsonb_build_object('id', price_id, 'amount', amount_due,
          'currency', currency, 'tax_rate', rate, 'billing_mode', 'one_time', 'recurring', null)),
        ${link.maxAttempts}, verdict.created_at, expiry.at, expiry.at
      from verdict
      cross join lateral (
        select verdict.created_at + ${LINK_LIFETIME_SECONDS}::float8 * interval '1 second' as at
      ) expiry
      where verdict.refusal is null
      returning id, page_token, page_token_hash, expires_at, amount, currency
    )
    select ${selectOutcome}
    from verdict
    left join session on true
  `);
}
