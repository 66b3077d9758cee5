/** Adds plans that the demo merchant's catalogue lacks, so that a subscription can change between plans. */
import pg from 'pg';
import { type DemoMerchant, productIds } from '../../../../sandbox/stack/demo/demo-merchants.ts';

/** An offering with a single plan. */
export interface OtherOffering {
  readonly offeringId: string;
  readonly planId: string;
  /** A plan in the offering of the demo's plans that costs more than they do. */
  readonly dearerPlanId: string;
}

export async function addOfferings(url: string, merchant: DemoMerchant): Promise<OtherOffering> {
  const { recurring, trial } = productIds(merchant);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await joinInOffering(client, merchant.id, [recurring, trial]);
    const dearerPlanId = await addDearerPlan(client, recurring);
    return { ...(await addOffering(client, merchant.id, recurring)), dearerPlanId };
  } finally {
    await client.end();
  }
}

async function joinInOffering(
  client: pg.Client,
  merchantId: string,
  plans: readonly string[],
): Promise<void> {
  const offering = "insert into offerings (merchant_id, name) values ($1, 'Coffee') returning id";
  const { rows } = await client.query(offering, [merchantId]);
  await client.query(
    'update products set offering_id = $1, quantity_min = 1, quantity_max = 5 where id = any($2)',
    [rows[0].id, plans],
  );
}

async function addDearerPlan(client: pg.Client, like: string): Promise<string> {
  const { rows } = await client.query(
    `with plan as (
        insert into products (merchant_id, offering_id, name, quantity_min, quantity_max)
        select merchant_id, offering_id, 'Coffee for teams', quantity_min, quantity_max from products where id = $1
        returning id),
      price as (
        insert into prices (product_id, amount, currency, tax_rate, billing_mode, interval, interval_count)
        select plan.id, 2900, currency, tax_rate, billing_mode, interval, interval_count
        from prices, plan where product_id = $1)
    select id from plan`,
    [like],
  );
  return rows[0].id;
}

async function addOffering(
  client: pg.Client,
  merchantId: string,
  like: string,
): Promise<Omit<OtherOffering, 'dearerPlanId'>> {
  const { rows } = await client.query(
    `with offering as (insert into offerings (merchant_id, name) values ($1, 'Tea') returning id),
      plan as (
        insert into products (merchant_id, offering_id, name) select $1, id, 'Tea club' from offering
        returning id, offering_id),
      price as (
        insert into prices (product_id, amount, currency, tax_rate, billing_mode, interval, interval_count)
        select plan.id, 1100, currency, tax_rate, billing_mode, interval, interval_count
        from prices, plan where product_id = $2)
    select id as "planId", offering_id as "offeringId" from plan`,
    [merchantId, like],
  );
  return rows[0];
}
