/** A temporary PostgreSQL server with the schema and rows of a busy service. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../db/core/migrate.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { ensureDatabase, startPostgres } from '../../../sandbox/stack/postgres/postgres.ts';
import { type Seed, seedPurchases } from './seed-purchases.ts';

export async function openSeededDatabase(seed: Seed) {
  const dir = await mkdtemp(join(tmpdir(), 'bench-'));
  const postgres = await startPostgres({
    dataDir: join(dir, 'data'),
    port: await freePort(),
    password: 'bench',
    settings: { shared_buffers: '1GB', max_wal_size: '8GB' },
    removeAfter: dir,
  });
  const url = postgres.url('checkout');
  const end = () => postgres.part.stop();
  try {
    await ensureDatabase(postgres, 'checkout');
    await migrate(url);
    await seedPurchases(url, seed);
    return { url, pid: postgres.part.pid, end };
  } catch (error) {
    await end();
    throw error;
  }
}
