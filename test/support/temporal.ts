/** Temporal for tests: a namespace of one's own on the shared server, or a server that skips time. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { cacheDir } from '../../sandbox/stack/places.ts';
import { createProgress } from '../../sandbox/stack/progress.ts';
import { SEARCH_ATTRIBUTES } from '../../sandbox/stack/temporal-dev.ts';
import { findTestServer } from '../../sandbox/stack/test-server.ts';

/** Their numbers in Temporal's API (`temporal.api.enums.v1.IndexedValueType`). */
const INDEXED_VALUE_TYPE = { Keyword: 2, Bool: 5, Datetime: 6 } as const;

export interface TestNamespace {
  readonly address: string;
  readonly namespace: string;
}

/** A namespace that no other test sees, with the search attributes that our workflows set. */
export async function createTestNamespace(): Promise<TestNamespace> {
  const address = process.env.TEST_TEMPORAL_ADDRESS;
  if (!address) throw new Error('TEST_TEMPORAL_ADDRESS is not set: run the tests with "npm test".');
  const namespace = `test-${randomBytes(8).toString('hex')}`;
  const connection = await Connection.connect({ address });
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    });
    await addSearchAttributes(connection, namespace);
  } finally {
    await connection.close();
  }
  return { address, namespace };
}

/** A server whose clock jumps to the next timer: 30 minutes pass in a second. End it with `teardown()`. */
export async function timeSkippingServer(): Promise<TestWorkflowEnvironment> {
  const progress = createProgress((line) => process.stderr.write(`${line}\n`));
  const executable = await findTestServer({ cacheDir: cacheDir(process.env), progress });
  const create = () => TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
  // The SDK gives the server 5 s to come up, which a busy machine does not always manage.
  const server = await create().catch(create);
  const namespace = server.namespace ?? 'default';
  await server.connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: searchAttributes(),
  });
  return server;
}

/** The server learns of a new namespace within a second or so; until then it says that there is none. */
async function addSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: searchAttributes(),
      });
      await connection.workflowService.countWorkflowExecutions({ namespace, query: 'NeedsOperator = true' });
      return;
    } catch (error) {
      if (attempt === 50) throw error;
      await sleep(100);
    }
  }
}

function searchAttributes(): Record<string, number> {
  const types = Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, INDEXED_VALUE_TYPE[type]]);
  return Object.fromEntries(types);
}
