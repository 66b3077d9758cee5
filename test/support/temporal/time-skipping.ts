/**
 * A Temporal server that skips time.
 * @needs time-skipping
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { cacheDir } from '../../../sandbox/stack/core/directories.ts';
import { createProgress } from '../../../sandbox/stack/core/progress.ts';
import { findTestServer } from '../../../sandbox/stack/temporal/test-server.ts';
import { searchAttributes } from './temporal.ts';

/** A server whose clock jumps to the next timer: 30 minutes pass in a second. End it with `teardown()`. */
export async function timeSkippingServer(): Promise<TestWorkflowEnvironment> {
  const progress = createProgress((line) => process.stderr.write(`${line}\n`));
  const executable = await findTestServer({ cacheDir: cacheDir(process.env), progress });
  const server = await create(executable);
  const namespace = server.namespace ?? 'default';
  await server.connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: searchAttributes(),
  });
  return server;
}

type Executable = Awaited<ReturnType<typeof findTestServer>>;

/** The SDK gives the server 5 s to come up, which a busy machine may miss several times. */
async function create(executable: Executable, triesLeft = 5): Promise<TestWorkflowEnvironment> {
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
  } catch (error) {
    if (triesLeft === 0) throw error;
    return create(executable, triesLeft - 1);
  }
}
