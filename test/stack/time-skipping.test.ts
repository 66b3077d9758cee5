import { expect, test } from '@jest/globals';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { timeSkippingServer } from '../support/temporal/time-skipping.ts';
import '../support/temporal/quiet-temporal.ts';

const logger = new DefaultLogger('ERROR');

test('the time-skipping server runs a 30-minute workflow in less than a minute', async () => {
  const server = await timeSkippingServer();
  try {
    const workflowBundle = await bundleWorkflowCode({
      workflowsPath: new URL('fixtures/sleeper.ts', import.meta.url).pathname,
      logger,
    });
    const worker = await Worker.create({
      connection: server.nativeConnection,
      taskQueue: 'sleep',
      workflowBundle,
    });
    const started = Date.now();
    const slept = await worker.runUntil(
      server.client.workflow.execute<(duration: string) => Promise<number>>('sleeper', {
        workflowId: 'sleeper',
        taskQueue: 'sleep',
        args: ['30 minutes'],
      }),
    );
    expect(slept).toBeGreaterThanOrEqual(30 * 60 * 1_000);
    expect(Date.now() - started).toBeLessThan(60_000);
  } finally {
    await server.teardown();
  }
});
