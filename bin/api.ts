/** The API process: REST, hosted page and the rails' inbound webhooks. Configuration: `bin/config.ts`. */
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { peopleGate } from '../api/people/gate.ts';
import { createApi } from '../api/server.ts';
import { openTemporal } from '../api/temporal.ts';
import { openPool } from '../db/pool.ts';
import { SecretBox } from '../db/secret-box.ts';
import { readConfig } from './config.ts';
import { exitWithParent } from './parent.ts';
import { createRails } from './rails.ts';

/** Requests under way may finish; event streams of open pages do not end by themselves. */
const GRACE_MS = 3_000;

// V8 lets garbage lie until the heap is several times what lives in it: three readers of 50,000 rows took
// 240 MiB. Collected earlier they take 44 MiB (53 with 30 percent); what lives is small, so that it costs little.
setFlagsFromString('--heap-growing-percent=15');
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--expose-gc');

exitWithParent();
const config = readConfig();
const logger = pino({ name: 'api', level: config.logLevel });
const pool = await openPool(config.database);
const temporal = openTemporal(config.temporal);
const server = createApi(
  {
    pool,
    temporal,
    rails: createRails(config),
    secretBox: new SecretBox(config.secrets.key),
    logger,
    config,
  },
  { ...config.limits, ...(config.people && { merchantGate: peopleGate(config.people) }) },
);
server.listen(config.api.port, config.api.host);
await once(server, 'listening');
// The limit that the first collection waits for was set before the flags: 180 MiB of garbage without this one.
runInNewContext('gc')();
logger.info({ port: config.api.port, publicUrl: config.api.publicUrl }, 'the API is listening');

async function stop(signal: string): Promise<void> {
  logger.info({ signal }, 'the API is stopping');
  setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
  await new Promise((resolve) => server.close(resolve));
  await temporal.connection.close();
  await pool.end();
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void stop(signal).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
