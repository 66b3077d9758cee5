/** The worker process of the bare workflows (the floor). */
import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { BARE_QUEUE } from './bare-workflows.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: process.env.BENCH_TEMPORAL_ADDRESS ?? '' }),
  taskQueue: BARE_QUEUE,
  workflowsPath: fileURLToPath(new URL('bare-workflows.ts', import.meta.url)),
  activities: {
    doNothing: async () => 'done',
    countExpiry: async () => void process.send?.('expired'),
  },
});
process.once('disconnect', () => process.exit());
const running = worker.run();
process.send?.('ready');
await running;
