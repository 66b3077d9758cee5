/** Our worker for the webhooks queue, configured as in production. */
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createDeliverActivities } from '../../activities/webhook/deliver.ts';
import { openPool } from '../../db/core/pool.ts';
import { SecretBox } from '../../secrets/secret-box.ts';
import { wakeAfterCommits } from '../../temporal/wake-endpoints.ts';
import { taskQueue } from '../../workflows/core/messages.ts';
import { onOrder, report, setting } from './child.ts';
import { TIMEOUT_SECONDS } from './messages.ts';

const { databaseUrl, temporalAddress: address, secretsKey } = setting();
Runtime.install({ logger: new DefaultLogger('ERROR') });
const pool = await openPool({ url: databaseUrl });
const client = new Client({ connection: await Connection.connect({ address }) });
wakeAfterCommits(pool, client, { warn: console.warn });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue: taskQueue('webhooks', 'sandbox'),
  workflowsPath: fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)),
  activities: createDeliverActivities({
    pool,
    databaseUrl,
    secretBox: new SecretBox(secretsKey),
    client,
    webhooks: { scheduleSeconds: [0, 5], jitter: 0, timeoutSeconds: TIMEOUT_SECONDS, allowLoopback: true },
    logger: { warn: console.warn, error: sayUnlessExpected },
  }),
});
const running = worker.run();
onOrder(async ({ kind }) => {
  if (kind !== 'stop') return;
  worker.shutdown();
  await running;
  report({ kind: 'stopped' });
});
report({ kind: 'ready' });

/** Expected here: the dead endpoints exhaust their attempts, which alerts an operator in production. */
function sayUnlessExpected(facts: object, words: string): void {
  if (words !== 'webhook endpoint needs attention') console.error(facts, words);
}
