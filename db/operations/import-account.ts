/**
 * Rows that an import writes: customers, products with a price, and subscriptions that were stopped at their processor
 * (rule 46). Every id derives from the source's id, so that a repeated import finds the rows of the first one, and
 * charges keep their references at the rail (rule 28).
 */
import { z } from 'zod';
import type { EventType } from '../../contract/webhook/events.ts';
import type { Scope } from '../../domain/core/environment.ts';
import type { MethodSummary } from '../../domain/payment/payment-method.ts';
import { announcementAt } from '../../domain/subscription/subscription-view.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { camelCased, type Db, type Fragment, type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { BILLED } from '../subscription/core/billed-statuses.ts';
import { recordSubscriptionEvent } from '../subscription/core/subscription-events.ts';
import { lockSubscription } from '../subscription/core/subscription-row.ts';

const KINDS = {
  customer: 'ap_cus_',
  product: 'ap_prod_',
  price: 'ap_price_',
  subscription: 'ap_sub_',
} as const;
const ofId = z.object({ id: z.string() });

export interface Imported {
  readonly scope: Scope;
  /** The object's id at the processor. */
  readonly sourceId: string;
  readonly createdAt: string;
}

/** Returns the id that an imported row has or would get, derived as in the database. */
function importedId(kind: keyof typeof KINDS, { scope, sourceId, createdAt }: Imported) {
  return derivedId(kind, scope, sql.fragment`${sourceId}::text`, sql.fragment`${createdAt}::timestamptz`);
}

function derivedId(
  kind: keyof typeof KINDS,
  { merchantId, environment }: Scope,
  sourceId: Fragment,
  createdAt: Fragment,
) {
  // Ids of the catalogue omit the environment: it serves both, and the processor's ids differ between environments.
  const place = [kind, merchantId, ...(kind === 'product' || kind === 'price' ? [] : [environment])];
  return sql.fragment`derived_id(${KINDS[kind]}, ${createdAt}, 0, ${`import ${place.join(' ')} `} || ${sourceId})`;
}

const known = ofId.extend({
  source: z.string(),
  exists: z.boolean(),
  /** True if the subscription is charged again at the end of its period. */
  renews: z.boolean(),
});
export type KnownSubscription = Pick<z.infer<typeof known>, 'id' | 'exists' | 'renews'>;

/** Returns, by the processor's id, each subscription's id here and whether its row exists. */
export async function importedSubscriptions(
  db: Db,
  all: readonly Imported[],
): Promise<ReadonlyMap<string, KnownSubscription>> {
  const [first] = all;
  if (!first) return new Map();
  const sources = sql.unnest(
    all.map(({ sourceId, createdAt }) => [sourceId, createdAt]),
    ['text', 'timestamptz'],
  );
  const rows = await db.any(sql.type(known)`
    select named.source, named.id, s.id is not null as exists,
      coalesce(s.status in ${BILLED} and not s.cancel_at_period_end
        and s.cancel_requested_at is null, false) as renews
    from (
      select source, ${derivedId('subscription', first.scope, sql.fragment`source`, sql.fragment`created_at`)} as id
      from ${sources} as given (source, created_at)
    ) named
    left join subscriptions s on s.id = named.id
  `);
  return new Map(rows.map(({ source, ...here }) => [source, here]));
}

export interface CustomerToImport extends Imported {
  readonly externalCustomerId: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly billingDetails: Readonly<Record<string, string | null>> | null;
}

/**
 * Imports a customer, unless one has the same external id, or an earlier import wrote this one, even if the external id
 * has changed since. An existing customer stays unchanged.
 * @returns the customer's id, and whether it is new
 */
export async function importCustomer(
  db: Db,
  customer: CustomerToImport,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { merchantId, environment } = customer.scope;
  const details = customer.billingDetails && sql.jsonb(customer.billingDetails);
  const inserted = await db.maybeOneFirst(sql.type(ofId)`
    insert into customers (id, merchant_id, environment, external_customer_id, email, name, billing_details)
    values (${importedId('customer', customer)}, ${merchantId}, ${environment}, ${customer.externalCustomerId},
      ${customer.email}, ${customer.name}, ${details}::jsonb)
    on conflict do nothing
    returning id
  `);
  if (inserted) return { id: inserted, isNew: true };
  const id = await db.oneFirst(sql.type(ofId)`
    select id from customers
    where merchant_id = ${merchantId} and environment = ${environment}
      and (id = ${importedId('customer', customer)} or external_customer_id = ${customer.externalCustomerId})
    -- Mandates stored by an earlier import are encrypted for the row that it wrote.
    order by id = ${importedId('customer', customer)} desc limit 1
  `);
  return { id, isNew: false };
}

export interface PlanToImport extends Imported {
  readonly name: string;
  readonly description: string | null;
  readonly active: boolean;
  readonly amount: number;
  readonly currency: string;
  readonly taxRate: number;
  readonly recurring: { readonly interval: string; readonly intervalCount: number } | null;
}

const importedPlan = camelCased({ product_id: z.string(), price_id: z.string() });
export type ImportedPlan = z.infer<typeof importedPlan>;

/** Returns whether another product of the merchant has the price's id as its external reference. */
export function isPlanTaken(db: Db, plan: Imported): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select from products
    where merchant_id = ${plan.scope.merchantId} and external_reference = ${plan.sourceId}
      and id <> ${importedId('product', plan)}`);
}

/** @returns null if another product has the price's id as its external reference */
export function importPlan(
  pool: Pool,
  plan: PlanToImport,
  actor: Actor,
): Promise<(ImportedPlan & { readonly isNew: boolean }) | null> {
  const { merchantId } = plan.scope;
  const status = plan.active ? 'active' : 'inactive';
  return pool.transaction(async (tx) => {
    const productId = await tx.maybeOneFirst(sql.type(ofId)`
      insert into products (id, merchant_id, name, description, external_reference, status)
      values (${importedId('product', plan)}, ${merchantId}, ${plan.name}, ${plan.description}, ${plan.sourceId},
        ${status})
      on conflict do nothing
      returning id
    `);
    if (productId) {
      await tx.query(sql.typeAlias('void')`
        insert into prices (id, product_id, amount, currency, tax_rate, billing_mode, interval, interval_count, status)
        values (${importedId('price', plan)}, ${productId}, ${plan.amount}, ${plan.currency}, ${plan.taxRate},
          ${plan.recurring ? 'recurring' : 'one_time'}, ${plan.recurring?.interval ?? null},
          ${plan.recurring?.intervalCount ?? null}, ${status})
      `);
      const after = { source: plan.sourceId, name: plan.name, amount: plan.amount, currency: plan.currency };
      const subject = { merchantId, environment: null, subjectId: productId };
      await writeAudit(tx, { ...subject, ...actor, action: 'product.import', before: null, after });
    }
    const found = await tx.maybeOne(sql.type(importedPlan)`
      select product_id, id as price_id from prices where id = ${importedId('price', plan)}
    `);
    return found && { ...found, isNew: productId !== null };
  });
}

export interface SubscriptionToImport extends Imported {
  readonly customerId: string;
  readonly plan: ImportedPlan;
  readonly railAccountId: string;
  readonly billingAnchor: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly trialStart: string | null;
  /** The amount paid to the processor for the period, in cents; null if unknown. */
  readonly paidForPeriod: number | null;
  readonly method: MethodSummary | null;
  readonly sealedMandate: Buffer;
}

/**
 * Imports a subscription. Call only once the processor no longer renews it.
 * @returns the subscription's id, and whether it is new
 */
export function importSubscription(
  pool: Pool,
  subscription: SubscriptionToImport,
  actor: Actor,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  return inTransaction(pool, async (tx) => {
    const inserted = await insertSubscription(tx, subscription);
    if (inserted) {
      const locked = await lockSubscription(tx, inserted);
      // `subscription.created` is not sent, because it reports a purchase.
      await recordSubscriptionEvent(tx, locked, { type: 'subscription.updated', change: 'imported' });
      const { scope, sourceId, periodEnd } = subscription;
      const after = { source: sourceId, status: locked.status, current_period_end: periodEnd };
      const subject = { ...scope, subjectId: inserted };
      await writeAudit(tx, { ...subject, ...actor, action: 'subscription.import', before: null, after });
    }
    const id = await tx.oneFirst(sql.type(ofId)`
      select id from subscriptions where id = ${importedId('subscription', subscription)}
    `);
    return { id, isNew: inserted !== null };
  });
}

async function insertSubscription(
  tx: Transaction,
  subscription: SubscriptionToImport,
): Promise<string | null> {
  const { scope, plan, trialStart, periodStart, periodEnd, paidForPeriod, method } = subscription;
  const { merchantId, environment } = scope;
  const event: EventType = trialStart ? 'subscription.trial_ending' : 'subscription.renewal_upcoming';
  const days = await tx.oneFirst(sql.type(z.object({ days: z.number().nullable() }))`
    select announcement_days(${merchantId}, ${environment}, ${event}) as days`);
  const announceAt = announcementAt(periodStart, periodEnd, days);
  return tx.maybeOneFirst(sql.type(ofId)`
    insert into subscriptions (id, merchant_id, environment, customer_id, product_id, price_id, offering_id,
      rail_account_id, status, amount, currency, billing_anchor, current_period_start, current_period_end,
      trial_start, trial_end, payment_method, credential_secret_ref, announce_at, next_action_at,
      imported_period)
    select ${importedId('subscription', subscription)}, ${merchantId}, ${environment}, ${subscription.customerId},
      product.id, price.id, product.offering_id, ${subscription.railAccountId},
      ${trialStart ? 'trialing' : 'active'}, price.amount, price.currency, ${subscription.billingAnchor},
      ${periodStart}, ${periodEnd}, ${trialStart}, ${trialStart && periodEnd},
      ${method && sql.jsonb({ ...method })}::jsonb, ${sql.binary(subscription.sealedMandate)}, ${announceAt},
      ${announceAt ?? periodEnd},
      case when ${paidForPeriod}::integer is not null and ${trialStart}::text is null then jsonb_build_object(
        'start', ${periodStart}::text, 'end', ${periodEnd}::text, 'paid', ${paidForPeriod}::integer, 'tax_rate', price.tax_rate) end
    from prices price join products product on product.id = price.product_id
    where price.id = ${plan.priceId}
    on conflict (id) do nothing
    returning id
  `);
}
