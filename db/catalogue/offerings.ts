/** Offerings with their plans, for the management API. Each change writes an audit row. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  type NewOffering,
  type Offering,
  type OfferingChanges,
  offering,
} from '../../contract/catalogue/offerings.ts';
import { type Actor, audited } from '../core/audit.ts';
import type { Batch } from '../core/lists/list-batch.ts';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { withChanges } from '../core/with-changes.ts';

const selected = sql.fragment`
  select o.id, o.merchant_id, o.name,
    array(select p.id from products p where p.offering_id = o.id order by p.id) as plan_ids,
    o.status, o.created_at, o.updated_at
  from offerings o`;

const offeringWith = (id: string) => sql.type(offering)`${selected} where o.id = ${id}`;

export interface OfferingRef {
  readonly merchantId: string;
  readonly offeringId: string;
}

/** Lists offerings, newest first. */
export function listOfferings(
  db: Db,
  merchantId: string,
  { after, limit }: Batch,
): Promise<readonly Offering[]> {
  return db.any(sql.type(offering)`
    ${selected}
    where o.merchant_id = ${merchantId} and (${after}::text is null or o.id < ${after})
    order by o.id desc
    limit ${limit}
  `);
}

export function findOffering(db: Db, { merchantId, offeringId }: OfferingRef): Promise<Offering | null> {
  return db.maybeOne(sql.type(offering)`
    ${selected} where o.merchant_id = ${merchantId} and o.id = ${offeringId}
  `);
}

type PlansRefusal = 'plan_not_found' | 'plan_in_other_offering' | 'product_not_recurring';

export function createOffering(
  pool: Pool,
  merchantId: string,
  { name, plan_ids: planIds = [] }: NewOffering,
  actor: Actor,
  id: string | null = null,
): Promise<Offering | PlansRefusal> {
  return pool.transaction(async (tx) => {
    const refusal = await lockPlans(tx, { merchantId, offeringId: null }, planIds);
    if (refusal) return refusal;
    const offeringId = await tx.oneFirst(sql.type(z.object({ id: z.string() }))`
      insert into offerings (id, merchant_id, name)
      values (coalesce(${id}, new_id('ap_off_')), ${merchantId}, ${name}) returning id
    `);
    const ref = { merchantId, offeringId };
    await assignPlans(tx, ref, planIds);
    return audited(tx, 'offering.create', null, offeringWith(offeringId), actor);
  });
}

/** Undefined fields keep their value; a change without effect writes no audit row. */
export function updateOffering(
  pool: Pool,
  ref: OfferingRef,
  changes: OfferingChanges,
  actor: Actor,
): Promise<Offering | 'offering_not_found' | PlansRefusal> {
  return pool.transaction(async (tx) => {
    const { merchantId, offeringId } = ref;
    await tx.query(sql.typeAlias('void')`
      select from offerings where id = ${offeringId} and merchant_id = ${merchantId} for no key update
    `);
    const before = await findOffering(tx, ref);
    if (!before) return 'offering_not_found';
    const planIds = changes.plan_ids && [...new Set(changes.plan_ids)].sort();
    const refusal = planIds && (await lockPlans(tx, ref, planIds));
    if (refusal) return refusal;
    const wanted = withChanges<Offering>(before, { ...changes, plan_ids: planIds });
    if (isDeepStrictEqual(wanted, before)) return before;
    await tx.query(sql.typeAlias('void')`
      update offerings set name = ${wanted.name}, status = ${wanted.status}, updated_at = service_clock()
      where id = ${offeringId}
    `);
    await assignPlans(tx, ref, wanted.plan_ids);
    return audited(tx, 'offering.update', before, offeringWith(offeringId), actor);
  });
}

/** Locks added and removed plans in id order. Returns why a plan cannot join the offering, or null. */
async function lockPlans(
  tx: Transaction,
  { merchantId, offeringId }: { readonly merchantId: string; readonly offeringId: string | null },
  planIds: readonly string[],
): Promise<PlansRefusal | null> {
  const wanted = sql.array([...planIds], 'text');
  await tx.query(sql.typeAlias('void')`
    select from products
    where merchant_id = ${merchantId} and (id = any (${wanted}) or offering_id = ${offeringId})
    order by id for no key update
  `);
  const plans = await tx.any(sql.type(
    z.object({ offering_id: z.string().nullable(), recurring: z.boolean() }),
  )`
    select p.offering_id, coalesce(price.billing_mode = 'recurring', false) as recurring
    from products p left join prices price on price.product_id = p.id and price.status = 'active'
    where p.merchant_id = ${merchantId} and p.id = any (${wanted})
  `);
  if (plans.length < new Set(planIds).size) return 'plan_not_found';
  if (plans.some((plan) => plan.offering_id !== null && plan.offering_id !== offeringId))
    return 'plan_in_other_offering';
  return plans.every(({ recurring }) => recurring) ? null : 'product_not_recurring';
}

async function assignPlans(
  tx: Transaction,
  { merchantId, offeringId }: OfferingRef,
  planIds: readonly string[],
): Promise<void> {
  const wanted = sql.array([...planIds], 'text');
  await tx.query(sql.typeAlias('void')`
    update products
    set offering_id = case when id = any (${wanted}) then ${offeringId} end, updated_at = service_clock()
    where merchant_id = ${merchantId}
      and (id = any (${wanted}) and offering_id is null or offering_id = ${offeringId} and id <> all (${wanted}))
  `);
}
