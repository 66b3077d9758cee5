/** Merchants' accounts at the rail. Secrets are stored as hashes, except the one that signs webhooks. */
import { createHash } from 'node:crypto';
import { type Db, maybeOne, run } from './pool.ts';

type AccountStatus = 'activating' | 'active' | 'disabled';

export interface Account {
  readonly id: string;
  readonly status: AccountStatus;
  readonly merchantName: string;
  readonly pageOrigins: readonly string[];
  readonly currencies: readonly string[];
  readonly wallets: readonly string[];
}

export interface AccountSettings extends Account {
  readonly secret: string;
  readonly webhookUrl: string | null;
  readonly webhookSecret: string | null;
}

const COLUMNS = `id, status, merchant_name as "merchantName", page_origins as "pageOrigins", currencies, wallets`;

export async function putAccount(db: Db, account: AccountSettings): Promise<void> {
  await run(
    db,
    `insert into accounts
       (id, secret_sha256, status, merchant_name, page_origins, currencies, wallets, webhook_url, webhook_secret)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (id) do update set
       secret_sha256 = excluded.secret_sha256, status = excluded.status,
       merchant_name = excluded.merchant_name, page_origins = excluded.page_origins,
       currencies = excluded.currencies, wallets = excluded.wallets,
       webhook_url = excluded.webhook_url, webhook_secret = excluded.webhook_secret`,
    [
      account.id,
      sha256(account.secret),
      account.status,
      account.merchantName,
      account.pageOrigins,
      account.currencies,
      account.wallets,
      account.webhookUrl,
      account.webhookSecret,
    ],
  );
}

export async function accountById(db: Db, id: string): Promise<Account | null> {
  return maybeOne<Account>(db, `select ${COLUMNS} from accounts where id = $1`, [id]);
}

/** Looked up by the secret's hash, so there is no timing side channel. */
export async function accountBySecret(db: Db, secret: string): Promise<Account | null> {
  return maybeOne<Account>(db, `select ${COLUMNS} from accounts where secret_sha256 = $1`, [sha256(secret)]);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
