/** A separate PostgreSQL for one test, with the schema, that can be made to hang and can be stopped. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../db/core/migrate.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { ensureDatabase, startPostgres } from '../../../sandbox/stack/postgres/postgres.ts';
import { processes } from '../../../sandbox/stack/process/processes.ts';

export interface OwnPostgres {
  readonly url: string;
  /** Sends SIGSTOP to all processes of the server: it accepts connections but does not answer. */
  freeze(): void;
  thaw(): void;
  /** Stops the server: connections are refused. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = join(await mkdtemp(join(tmpdir(), 'checkout-own-postgres-')), 'data');
  const port = await freePort();
  const start = () => startPostgres({ dataDir, port, password: 'test', settings: { fsync: 'off' } });
  let postgres = await start();
  await ensureDatabase(postgres, 'checkout');
  const url = postgres.url('checkout');
  await migrate(url);
  const signal = (name: NodeJS.Signals) => {
    const all = processes();
    const [server] = all.filter(({ args }) => args.includes(`-D ${dataDir} `) && !args.includes('leash.mjs'));
    for (const { pid } of all.filter((each) => each === server || each.ppid === server?.pid))
      process.kill(pid, name);
  };
  return {
    url,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    leave: async () => void (await postgres.part.stop()),
    async comeBack() {
      postgres = await start();
    },
    stop: async () => void (await postgres.part.stop()),
  };
}
