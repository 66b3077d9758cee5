/** The API process: REST, hosted page and the rails' inbound webhooks. */
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { peopleGate } from '../api/http/authentication/people-gate.ts';
import { prepareStop } from '../api/http/graceful-shutdown.ts';
import { prepareDocuments } from '../api/invoice/pdf/render-invoice.ts';
import { createApi } from '../api/server.ts';
import { openPool, readClock, sql } from '../db/core/pool.ts';
import { askDatabase, openWatchPool } from '../db/core/watch-pool.ts';
import { observeDependencies, observeWorkers } from '../platform/observability/dependencies.ts';
import { createLogger } from '../platform/observability/logger.ts';
import { serveMetrics } from '../platform/observability/metrics-server.ts';
import { observeProcess } from '../platform/observability/process.ts';
import { traceOfLog } from '../platform/observability/spans.ts';
import { startTracing } from '../platform/observability/trace-export.ts';
import { SecretBox } from '../platform/secrets/encryption.ts';
import { askTemporal, openTemporal } from '../platform/temporal/client.ts';
import { readUnserved } from '../platform/temporal/queue-states.ts';
import { wakeAfterCommits } from '../platform/temporal/wake-endpoints.ts';
import { orExit } from './config/faults.ts';
import { readConfig } from './config/read.ts';
import { exitWithParent } from './exit-with-parent.ts';
import { onceAvailable } from './once-available.ts';
import { createRails } from './rails.ts';

/**
 * Time allowed for requests in flight: an operator's command waits up to 8 s for its workflow, a statement up to 10 s
 * for a lock. The chart and the compose file allow 30 s, of which the chart's wait for load balancers takes 5.
 */
const GRACE_MS = 12_000;

// By default V8 collects when the heap is several times the live data; three readers of 50,000 rows then take 240
// MiB. At 50 percent growth, with the young generation of 8 MiB that the command line allows, they take 35 MiB.
setFlagsFromString('--heap-growing-percent=50');
// Without the command line's limit, the young generation would take 64 MiB.
if (!process.execArgv.some((arg) => arg.startsWith('--max-semi-space-size='))) {
  setFlagsFromString('--semi-space-growth-factor=1');
}
setFlagsFromString('--expose-gc');

exitWithParent();
/** Replaced once there are requests to finish. A container's first process ignores a signal without a handler. */
let onSignal = (_signal: string): void => process.exit();
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => onSignal(signal));
const config = orExit(() => readConfig(process.env, 'api'));
const logger = createLogger({ name: 'api', level: config.logLevel, mixin: traceOfLog });
const tracing = await startTracing({ ...config.tracing, service: 'api', logger });
const metrics = serveMetrics({ ...config.metrics, service: 'api', port: config.metrics.apiPort, logger });
const pool = await openPool(config.database);
const temporal = openTemporal(config.temporal);
const sandboxPool = await openPool(config.database);
const watchPool = await openWatchPool(config.database);
observeDependencies({
  askDatabase: () => askDatabase(watchPool),
  askTemporal: () => askTemporal(temporal),
});
observeWorkers(() => readUnserved(temporal));
for (const each of [pool, sandboxPool]) wakeAfterCommits(each, temporal, logger);
const { readerUrl } = config.database;
const openReader = () =>
  readerUrl ? openPool({ ...config.database, url: readerUrl, readsStandby: true }) : undefined;
const readerPool = await openReader();
const sandboxReaderPool = await openReader();
observeProcess(config.database.maxConnections, {
  production: pool,
  sandbox: sandboxPool,
  ...(readerPool && { reader: readerPool }),
  ...(sandboxReaderPool && { sandbox_reader: sandboxReaderPool }),
});
const server = createApi(
  {
    pool,
    sandboxPool,
    ...(readerPool && { readerPool }),
    ...(sandboxReaderPool && { sandboxReaderPool }),
    temporal,
    rails: createRails(config),
    secretBox: new SecretBox(config.secrets.key, config.secrets),
    logger,
    config,
  },
  {
    ...config.limits,
    ...(config.people && {
      merchantGate: peopleGate(config.people),
      dashboardLogIn: {
        issuer: config.people.issuer,
        audience: config.people.audience,
        ...config.people.dashboard,
      },
    }),
  },
);
const stopServing = prepareStop(server);
await prepareDocuments();
server.listen(config.api.port, config.api.host);
await once(server, 'listening');
// V8 set the threshold of the first collection before these flags applied: without a collection here, 180 MiB of
// garbage remain.
runInNewContext('gc')();
logger.info({ port: config.api.port, publicUrl: config.api.publicUrl }, 'API listening');

const stopping = Promise.withResolvers<void>();
async function stop(signal: string): Promise<void> {
  logger.info({ signal }, 'API stopping');
  stopping.resolve();
  await stopServing(GRACE_MS);
  metrics.close();
  await tracing.stop();
  await temporal.connection.close();
  const pools = [pool, sandboxPool, watchPool, readerPool, sandboxReaderPool];
  await Promise.all(pools.map((each) => each?.end()));
}
onSignal = (signal) =>
  void stop(signal).then(
    () => process.exit(0),
    () => process.exit(1),
  );
// `/livez` already answers, so that no supervisor kills a process that is waiting. The reader is checked too, because
// its settings may be wrong; while it is unreachable, only lists are refused.
const askReader = async () => readerPool?.query(sql.typeAlias('void')`select 1`);
const available = Promise.all([
  onceAvailable('PostgreSQL', () => readClock(pool), logger),
  onceAvailable('PostgreSQL reader', askReader, logger),
]);
// Do not wait for `available` once stopping: it then fails because the pools are closed.
await Promise.race([available, stopping.promise]);
