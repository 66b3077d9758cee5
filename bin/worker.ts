/** `node bin/worker.ts`: runs the workflows and activities of every task queue, and the relay. */
import { createServer } from 'node:http';
import { NativeConnection } from '@temporalio/worker';
import { createActivities } from '../activities/index.ts';
import { openPool, readClock } from '../db/core/pool.ts';
import { askDatabase, inTime, openWatchPool } from '../db/core/watch-pool.ts';
import { readBusinessFigures } from '../db/operations/business-figures.ts';
import { challengeReturnUrl } from '../page/http/urls.ts';
import { observeFigures } from '../platform/observability/database-gauges.ts';
import { observeDependencies } from '../platform/observability/dependencies.ts';
import { createLogger } from '../platform/observability/logger.ts';
import { serveMetrics } from '../platform/observability/metrics-server.ts';
import { observeProcess } from '../platform/observability/process.ts';
import { traceOfLog } from '../platform/observability/spans.ts';
import { startTracing } from '../platform/observability/trace-export.ts';
import { SecretBox } from '../platform/secrets/encryption.ts';
import { askTemporal, openTemporal } from '../platform/temporal/client.ts';
import { fenceRestored } from '../platform/temporal/restored.ts';
import { wakeAfterCommits } from '../platform/temporal/wake-endpoints.ts';
import { buildWorkflowBundle } from '../worker/bundle.ts';
import { answerHealth, clockProblem, temporalProblem } from '../worker/health.ts';
import { ensureSchedules, ensureSearchAttributes } from '../worker/namespace.ts';
import { runRelay } from '../worker/relay.ts';
import { installRuntime } from '../worker/runtime.ts';
import { createWorkers } from '../worker/task-queue-workers.ts';
import { orExit } from './config/faults.ts';
import { readConfig } from './config/read.ts';
import { exitWithParent } from './exit-with-parent.ts';
import { onceAvailable } from './once-available.ts';
import { createRails } from './rails.ts';

exitWithParent();
/** Replaced once there is work to finish. A container's first process ignores a signal without a handler. */
let stop = (): void => process.exit();
process.on('SIGTERM', () => stop()).on('SIGINT', () => stop());
const config = orExit(() => readConfig());
const logger = createLogger({ name: 'worker', level: config.logLevel, mixin: traceOfLog });
const tracing = await startTracing({ ...config.tracing, service: 'worker', logger });
const sdkUrl = await installRuntime(logger, { withMetrics: config.metrics.workerPort !== 0 });
const metrics = serveMetrics({
  ...config.metrics,
  service: 'worker',
  port: config.metrics.workerPort,
  logger,
  sdkUrl,
});

let ready = false;
const readiness = async () =>
  ready ? ((await clockProblem(() => readClock(pool))) ?? temporalProblem(client.connection)) : 'starting';
const health = createServer(answerHealth(readiness)).listen(
  config.worker.healthPort,
  config.worker.healthHost,
);

const { namespace, ...temporalServer } = config.temporal;
const pool = await openPool({ ...config.database });
const deliveryPool = await openPool({ ...config.database });
// Sandbox work takes no connection from a live buyer (rule 37).
const sandboxPool = await openPool({ ...config.database });
const sandboxDeliveryPool = await openPool({ ...config.database });
const pools = [pool, deliveryPool, sandboxPool, sandboxDeliveryPool];
const watchPool = await openWatchPool(config.database);
observeProcess(config.database.maxConnections, {
  production: pool,
  'production deliveries': deliveryPool,
  sandbox: sandboxPool,
  'sandbox deliveries': sandboxDeliveryPool,
});
observeFigures(() => inTime(watchPool, (db) => readBusinessFigures(db, config.metrics)), logger);
const client = openTemporal(config.temporal);
observeDependencies({
  askDatabase: () => askDatabase(watchPool),
  askTemporal: () => askTemporal(client),
});
for (const each of pools) wakeAfterCommits(each, client, logger);
const codePath = config.worker.workflowBundle;
const bundle = codePath ? { codePath } : { code: await buildWorkflowBundle() };
const deps = {
  pool,
  deliveryPool,
  databaseUrl: config.database.directUrl,
  client,
  logger,
  rails: createRails(config, (skipped) =>
    logger.warn(skipped, 'skipped a malformed or foreign object in a list from the processor'),
  ),
  secretBox: new SecretBox(config.secrets.key, config.secrets),
  apiKeyPepper: config.secrets.apiKeyPepper,
  session: config.session,
  billing: config.billing,
  declines: config.limits.rateLimits.declines,
  secondPersonAbove: config.operator.secondPersonAbove,
  operators: config.operator,
  pages: config.pages,
  webhooks: config.webhooks,
  retention: config.retention,
  challengeReturnUrl: (pageToken: string) => challengeReturnUrl(config.api.publicUrl, pageToken),
};
await onceAvailable('PostgreSQL', () => readClock(pool), logger);
// Connects to Temporal first, because this client's errors name a rejected certificate.
const nativeConnection = await onceAvailable(
  'Temporal',
  () => NativeConnection.connect(temporalServer),
  logger,
);
const prepare = async () => {
  await askTemporal(client);
  if (!(await ensureSearchAttributes(client, namespace))) {
    logger.warn({ namespace }, 'search attributes could not be registered');
  }
  await fenceRestored({ pool, client, logger }, { isStart: true });
  await ensureSchedules(client);
};
await onceAvailable('Temporal', prepare, logger);
const workers = await createWorkers({
  connection: nativeConnection,
  namespace,
  bundle,
  queues: config.worker.queues,
  ...(config.worker.version && { version: config.worker.version }),
  activities: {
    production: createActivities(deps),
    sandbox: createActivities({ ...deps, pool: sandboxPool, deliveryPool: sandboxDeliveryPool }),
  },
});

const stopping = new AbortController();
stop = () => {
  if (stopping.signal.aborted) return;
  ready = false;
  stopping.abort();
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
};
const running = Promise.all([...workers.map((worker) => worker.run()), runRelay(deps, stopping.signal)]);
ready = true;
logger.info({ namespace }, 'worker ready');
try {
  await running;
} catch (err) {
  logger.fatal({ err }, 'worker failed');
  process.exitCode = 1;
  stop();
}
health.close();
metrics.close();
await Promise.allSettled([
  tracing.stop(),
  nativeConnection.close(),
  client.connection.close(),
  ...[...pools, watchPool].map((each) => each.end()),
]);
process.exit();
