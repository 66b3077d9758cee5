/**
 * Lists and replaces every stored encrypted value, to re-encrypt it with another key: in batches, while the service
 * runs.
 */
import { z } from 'zod';
import { type Db, type Fragment, type Pool, sql } from './pool.ts';

const sealedValue = z.object({
  /** The sort key within a batch; the next batch begins after the last value's key. */
  at: z.string(),
  sealed: z.instanceof(Buffer),
  /** The value by which platform/secrets/places.ts identifies the row, usually the row's id. */
  row: z.string(),
});
export type SealedValue = z.infer<typeof sealedValue>;

interface Batch {
  /** Values that begin with these bytes are already encrypted with the new key. */
  readonly header: Buffer;
  readonly after: string;
  readonly limit: number;
}

export const SEALED_COLUMNS = {
  'rail_accounts.credential': column('rail_accounts', 'id', 'credential'),
  'webhook_endpoints.secret': column('webhook_endpoints', 'id', 'secret'),
  'webhook_endpoints.previous_secret': column('webhook_endpoints', 'id', 'previous_secret'),
  'clicks.method_token': column('clicks', 'claim_id', 'method_token'),
  'checkouts.page_token': column(
    'checkouts',
    'id',
    'page_token',
    sql.fragment`encode(t.page_token_hash, 'hex')`,
  ),
  // Subscriptions before payments: a charge claimed afterwards copies the new value.
  'subscriptions.credential_secret_ref': {
    ...column('subscriptions', 'id', 'credential_secret_ref', sql.fragment`t.customer_id`),
    replace: replaceMandate,
  },
  'payments.credential_secret_ref': column(
    'payments',
    'id',
    'credential_secret_ref',
    sql.fragment`
    coalesce((select customer_id from checkouts where id = t.checkout_id),
      (select customer_id from orders where id = t.order_id))`,
  ),
  'idempotency_keys.answer': pinnedAnswers(),
} as const;
export type SealedColumnName = keyof typeof SEALED_COLUMNS;

interface SealedColumn {
  count(db: Db, header: Buffer): Promise<number>;
  list(db: Db, batch: Batch): Promise<readonly SealedValue[]>;
  /** @returns false if the value has changed since it was listed */
  replace(pool: Pool, value: SealedValue, sealed: Buffer): Promise<boolean>;
}

function column(
  tableName: string,
  keyName: string,
  columnName: string,
  row = sql.fragment`t.${sql.identifier([keyName])}`,
): SealedColumn {
  const table = sql.identifier([tableName]);
  const key = sql.identifier([keyName]);
  const value = sql.identifier([columnName]);
  const other = (header: Buffer) =>
    sql.fragment`t.${value} is not null and substring(t.${value} from 1 for 8) <> ${sql.binary(header)}`;
  return {
    count: (db, header) => countOf(db, sql.fragment`${table} t where ${other(header)}`),
    list: (db, { header, after, limit }) =>
      db.any(sql.type(sealedValue)`
        select t.${key} as at, t.${value} as sealed, ${row} as row from ${table} t
        where t.${key} > ${after} and ${other(header)} order by t.${key} limit ${limit}
      `),
    async replace(pool, { at, sealed: before }, sealed) {
      const { rowCount } = await pool.query(sql.typeAlias('void')`
        update ${table} set ${value} = ${sql.binary(sealed)} where ${key} = ${at} and ${value} = ${sql.binary(before)}
      `);
      return rowCount > 0;
    },
  };
}

/** Charges keep their subscription's mandate: if the two differ, the method was replaced in the meantime. */
function replaceMandate(pool: Pool, { at, sealed: before }: SealedValue, sealed: Buffer): Promise<boolean> {
  return pool.transaction(async (tx) => {
    const { rowCount } = await tx.query(sql.typeAlias('void')`
      update subscriptions set credential_secret_ref = ${sql.binary(sealed)}
      where id = ${at} and credential_secret_ref = ${sql.binary(before)}
    `);
    await tx.query(sql.typeAlias('void')`
      update payments p set credential_secret_ref = ${sql.binary(sealed)} from invoices i
      where i.subscription_id = ${at} and p.invoice_id = i.id and p.credential_secret_ref = ${sql.binary(before)}
    `);
    return rowCount > 0;
  });
}

/** Encrypted and base64-encoded, inside the response; `at` is the idempotency key with its scope. */
function pinnedAnswers(): SealedColumn {
  const sealed = sql.fragment`decode(answer ->> 'sealedBody', 'base64')`;
  const other = (header: Buffer) =>
    sql.fragment`answer ? 'sealedBody' and substring(${sealed} from 1 for 8) <> ${sql.binary(header)}`;
  const nameOf = (at: string): readonly string[] =>
    at === '' ? ['', ''] : z.array(z.string()).parse(JSON.parse(at));
  return {
    count: (db, header) => countOf(db, sql.fragment`idempotency_keys where ${other(header)}`),
    async list(db, { header, after, limit }) {
      const [scope = '', key = ''] = nameOf(after);
      const row = z.object({ scope: z.string(), key: z.string(), sealed: z.instanceof(Buffer) });
      const rows = await db.any(sql.type(row)`
        select scope, key, ${sealed} as sealed from idempotency_keys
        where (scope, key) > (${scope}, ${key}) and ${other(header)} order by scope, key limit ${limit}
      `);
      return rows.map((each) => {
        const at = JSON.stringify([each.scope, each.key]);
        return { at, row: at, sealed: each.sealed };
      });
    },
    async replace(pool, { at, sealed: before }, after) {
      const [scope = '', key = ''] = nameOf(at);
      const { rowCount } = await pool.query(sql.typeAlias('void')`
        update idempotency_keys
        set answer = jsonb_set(answer, '{sealedBody}', to_jsonb(${after.toString('base64')}::text))
        where scope = ${scope} and key = ${key} and ${sealed} = ${sql.binary(before)}
      `);
      return rowCount > 0;
    },
  };
}

function countOf(db: Db, rows: Fragment): Promise<number> {
  return db.oneFirst(sql.type(z.object({ n: z.number() }))`select count(*) as n from ${rows}`);
}
