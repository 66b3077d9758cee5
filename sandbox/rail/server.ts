/** Starts the sandbox rail, from `main.ts` or in a test. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Logger, pino } from 'pino';
import { closeServer } from '../lifecycle.ts';
import { createApp } from './app.ts';
import { deliverDueEvents } from './background/deliver-due.ts';
import { startLoop } from './background/loop.ts';
import { settleDueCharges } from './background/settle-due.ts';
import { Faults } from './core/faults.ts';
import { putAccount } from './db/accounts.ts';
import { migrate } from './db/migrate.ts';
import { openPool, type Pool } from './db/pool.ts';
import { type AccountInput, parseAccount } from './operations/account-config.ts';

export interface SandboxRailConfig {
  /** Created and migrated if missing. */
  readonly databaseUrl: string;
  readonly accounts: readonly AccountInput[];
  /** By default 0: any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Where browsers reach the rail; by default the listening address. */
  readonly publicUrl?: string;
  /** Delay before a pending charge settles, and before `ignoreCancel` approves a cancelled one. */
  readonly settleAfterMs?: number;
  /** How long look-ups and cancels do not find a new charge or refund (operations/lag.ts). */
  readonly lagMs?: number;
  /** Pauses between attempts to deliver a webhook, before giving up. */
  readonly webhookRetrySeconds?: readonly number[];
  readonly log?: Logger;
}

export interface SandboxRail {
  /** Without a trailing slash. */
  readonly url: string;
  readonly faults: Faults;
  /** Adds or replaces an account. */
  putAccount(account: AccountInput): Promise<void>;
  close(): Promise<void>;
}

/** About half an hour in all. */
const WEBHOOK_RETRY_SECONDS = [1, 2, 5, 15, 60, 300, 600, 900];
const SETTLE_AFTER_MS = 2_000;

export async function startSandboxRail(config: SandboxRailConfig): Promise<SandboxRail> {
  const { databaseUrl, accounts, port = 0, host = '127.0.0.1' } = config;
  const { settleAfterMs = SETTLE_AFTER_MS, lagMs = 0 } = config;
  const log = config.log ?? pino({ level: 'silent' });
  await migrate(databaseUrl);
  const pool = openPool(databaseUrl, (error) => log.warn({ err: error }, 'database connection lost'));
  for (const account of accounts) await putAccount(pool, parseAccount(account));

  // Longer than the default of five seconds, so that a busy machine does not use a connection that is just being
  // closed.
  const server = createServer({ keepAliveTimeout: 60_000 });
  const url = await listen(server, port, host);
  const publicUrl = config.publicUrl?.replace(/\/$/, '') ?? url;
  const faults = new Faults();
  const background = startBackground(pool, log, config.webhookRetrySeconds ?? WEBHOOK_RETRY_SECONDS);
  const { wake } = background;
  let closing: Promise<void> | undefined;
  server.on('request', createApp({ pool, log, publicUrl, settleAfterMs, lagMs, faults, wake }));
  log.info({ url, publicUrl, accounts: accounts.map(({ id }) => id) }, 'sandbox rail ready');
  return {
    url,
    faults,
    putAccount: (account) => putAccount(pool, parseAccount(account)),
    close() {
      closing ??= end();
      return closing;
    },
  };

  async function end(): Promise<void> {
    await closeServer(server);
    await background.stop();
    await pool.end();
  }
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

function startBackground(pool: Pool, log: Logger, retrySeconds: readonly number[]) {
  const deliveries = startLoop(log, 'deliver webhooks', () => deliverDueEvents(pool, log, retrySeconds));
  const settlements = startLoop(log, 'settle charges', async () => {
    const settled = await settleDueCharges(pool);
    if (settled > 0) deliveries.wake();
    return settled;
  });
  return {
    wake: deliveries.wake,
    async stop() {
      await Promise.all([settlements.stop(), deliveries.stop()]);
    },
  };
}
