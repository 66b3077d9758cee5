/** Temporal for tests: a separate namespace on the shared server. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { SEARCH_ATTRIBUTES } from '../../../sandbox/stack/temporal/temporal-dev.ts';

/** The types' numbers in Temporal's API (`temporal.api.enums.v1.IndexedValueType`). */
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

/** A new namespace becomes visible within about a second; until then the server reports it as unknown. */
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

export function searchAttributes(): Record<string, number> {
  const types = Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, INDEXED_VALUE_TYPE[type]]);
  return Object.fromEntries(types);
}
