/** The page alone, on a real database and with the real sandbox rail; tests set states as rows. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import express from 'express';
import { openPool, type Pool } from '../../../db/core/pool.ts';
import { createPageRouter } from '../../../page/server.ts';
import type { Rail } from '../../../rail/rail.ts';
import { createSandboxRail } from '../../../rail/sandbox/index.ts';
import { startSandboxRail } from '../../../sandbox/rail/server.ts';
import { TEST_PEPPER, testSecretBox } from '../../support/db/fixtures.ts';
import { RAIL_ACCOUNT } from './fixtures.ts';

export interface ServedPage {
  readonly url: string;
  /** An empty string without a rail. */
  readonly railUrl: string;
  readonly pool: Pool;
  /** The log lines, as text. */
  readonly log: string[];
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly databaseUrl: string;
  /** If absent, no card fields are served. */
  readonly railDatabaseUrl?: string;
  /** If absent, Temporal is unreachable. */
  readonly temporal?: { readonly address: string; readonly namespace: string };
}

export async function servePage({
  databaseUrl,
  railDatabaseUrl,
  temporal,
}: ServeOptions): Promise<ServedPage> {
  const pool = await openPool({ url: databaseUrl });
  const rail = railDatabaseUrl
    ? await startSandboxRail({ databaseUrl: railDatabaseUrl, accounts: [RAIL_ACCOUNT] })
    : null;
  const connection = Connection.lazy({ address: temporal?.address ?? '127.0.0.1:1' });
  const app = express();
  // With `X-Forwarded-For`, a test acts as another client.
  app.set('trust proxy', 1);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const adapter: Rail = createSandboxRail({ baseUrl: rail?.url ?? 'http://127.0.0.1:1' });
  const log: string[] = [];
  const write = (details: object, message: string) => void log.push(`${message} ${JSON.stringify(details)}`);
  app.use(
    '/pay',
    createPageRouter(
      {
        pool,
        temporal: new Client({ connection, namespace: temporal?.namespace ?? 'default' }),
        rails: new Map([[adapter.name, adapter]]),
        secretBox: testSecretBox,
        ...(!temporal && { updateDeadlineMs: 200 }),
        logger: { info: write, warn: write, error: write },
        config: {
          api: { publicUrl: url },
          database: { url: databaseUrl },
          secrets: { apiKeyPepper: TEST_PEPPER },
          session: { timings: { reconcileSeconds: [1, 2], reconcileLongSeconds: [60] } },
        },
      },
      { perAddress: 6_000 },
    ),
  );
  return {
    url,
    railUrl: rail?.url ?? '',
    pool,
    log,
    async close() {
      server.close();
      server.closeAllConnections();
      await rail?.close();
      await connection.close();
      await pool.end();
    },
  };
}
