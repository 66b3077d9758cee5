/**
 * For the demo only: a declarative upsert of a merchant and its rows. Adds missing rows and updates different ones,
 * except rows that a person changed over HTTP according to the audit log. Secrets arrive hashed or encrypted.
 */
import type { Environment } from '../../domain/core/environment.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';

/** Actors who are people; programs and operators have other prefixes. */
const PEOPLE = 'person:%';

type Value =
  | string
  | number
  | boolean
  | null
  | Buffer
  | readonly string[]
  | Readonly<Record<string, unknown>>;
/** The values of a row, by column name. */
type Row = Readonly<Record<string, Value>> & { readonly id: string };
type RowOfEnvironment = Row & { readonly environment: Environment };

export interface MerchantToPut {
  readonly merchant: Row;
  readonly apiKeys: readonly RowOfEnvironment[];
  readonly products: readonly Row[];
  readonly prices: readonly Row[];
  readonly offering: { readonly row: Row; readonly planIds: readonly string[] } | null;
  readonly coupon: RowOfEnvironment | null;
  readonly railAccount: RowOfEnvironment | null;
  readonly webhookEndpoint: RowOfEnvironment | null;
  /** Authorized to sell all of `products`. */
  readonly storefrontClient: RowOfEnvironment | null;
}

export async function putMerchant(pool: Pool, put: MerchantToPut): Promise<void> {
  const { merchant, products, offering, coupon, railAccount, webhookEndpoint, storefrontClient } = put;
  const merchant_id = merchant.id;
  await pool.transaction(async (tx) => {
    await putRow(tx, 'merchants', merchant, isUntouched(merchant_id));
    for (const key of put.apiKeys) await putRow(tx, 'api_keys', { merchant_id, ...key });
    for (const product of products)
      await putRow(tx, 'products', { merchant_id, ...product }, isUntouched(product.id));
    for (const price of put.prices) await putRow(tx, 'prices', price);
    if (offering) {
      const { row, planIds } = offering;
      const isPut = await putRow(tx, 'offerings', { merchant_id, ...row }, isUntouched(row.id));
      if (isPut) await offer(tx, row.id, planIds);
    }
    if (coupon) await putRow(tx, 'coupons', { merchant_id, ...coupon }, isUntouched(coupon.id));
    if (railAccount) await putRailAccount(tx, merchant_id, railAccount);
    if (webhookEndpoint)
      await putRow(
        tx,
        'webhook_endpoints',
        { merchant_id, ...webhookEndpoint },
        isUntouched(webhookEndpoint.id),
      );
    if (storefrontClient) {
      const isPut = await putRow(
        tx,
        'storefront_clients',
        { merchant_id, ...storefrontClient },
        isUntouched(storefrontClient.id),
      );
      if (isPut) await authorize(tx, storefrontClient.id, products);
    }
  });
}

/** @returns false if the row exists and must not be changed */
async function putRow(
  tx: Transaction,
  table: string,
  row: Row,
  mayChange = sql.fragment`true`,
): Promise<boolean> {
  const comma = sql.fragment`, `;
  const columns = Object.keys(row).map((name) => sql.identifier([name]));
  const changed = columns.map((column) => sql.fragment`${column} = excluded.${column}`);
  const put = await tx.query(sql.typeAlias('void')`
    insert into ${sql.identifier([table])} (${sql.join(columns, comma)})
    values (${sql.join(Object.values(row).map(bound), comma)})
    on conflict (id) do update set ${sql.join(changed, comma)} where ${mayChange}
  `);
  return put.rowCount > 0;
}

function bound(value: Value) {
  if (Buffer.isBuffer(value)) return sql.fragment`${sql.binary(value)}`;
  if (Array.isArray(value)) return sql.fragment`${sql.array([...value], 'text')}`;
  if (typeof value === 'object' && value !== null) return sql.fragment`${sql.jsonb(value)}`;
  return sql.fragment`${value}`;
}

/** Makes this account the one in use and disables the previous one, unless a person set the account in use. */
async function putRailAccount(tx: Transaction, merchantId: string, account: RowOfEnvironment): Promise<void> {
  const isTheirs = await tx.exists(sql.typeAlias('void')`
    select from audit_log log join rail_accounts account on account.id = log.subject_id
    where account.merchant_id = ${merchantId} and account.environment = ${account.environment}
      and log.actor like ${PEOPLE}
  `);
  if (isTheirs) return;
  await tx.query(sql.typeAlias('void')`
    update rail_accounts set status = 'disabled', updated_at = service_clock()
    where merchant_id = ${merchantId} and environment = ${account.environment} and id <> ${account.id}
      and status <> 'disabled'
  `);
  await putRow(tx, 'rail_accounts', { merchant_id: merchantId, ...account });
}

async function offer(tx: Transaction, offeringId: string, planIds: readonly string[]): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update products set offering_id = ${offeringId}
    where id = any (${sql.array([...planIds], 'text')}) and offering_id is null
  `);
}

async function authorize(tx: Transaction, clientId: string, products: readonly Row[]): Promise<void> {
  const productIds = products.map(({ id }) => id);
  await tx.query(sql.typeAlias('void')`
    insert into storefront_client_products (client_id, product_id)
    select ${clientId}, product_id from unnest(${sql.array(productIds, 'text')}) as product_id
    on conflict do nothing
  `);
}

function isUntouched(subjectId: string) {
  return sql.fragment`
    not exists (select from audit_log where subject_id = ${subjectId} and actor like ${PEOPLE})`;
}
