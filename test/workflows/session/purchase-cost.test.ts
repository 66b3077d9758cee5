/**
 * The cost of a purchase without HTTP and webhooks: statements and rows of the service's database, events of
 * Temporal's history. None depends on the machine; a change that raises one must justify it here and in
 * docs/performance.md.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countStatements, grown, rowsWritten, type StatementCounter } from '../../support/db/cost.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const APPROVED = '4242424242424242';
/** A busy machine can add a task or a repeated statement, so the cheapest of several counts. */
const PURCHASES = 4;

/** One statement and one row keep the rail's answer for operators (`db/payment/rail-answers.ts`). */
const MOST = { statements: 19, rows: 17, events: 9 };

let world: SessionWorld;
let statements: StatementCounter;

beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
  // One purchase connects the pool and prepares the statements.
  await purchase();
  statements = countStatements(world.databaseUrl);
});
afterAll(async () => {
  statements?.end();
  await world?.close();
});

/** The session and its start, the stored click with its buyer's email, and everything up to the workflow's end. */
async function purchase(): Promise<string> {
  const id = await world.session(undefined, { buyer: { email: 'canary-buyer@example.eu', party: null } });
  await world.pay(id, APPROVED);
  await world.client.workflow.getHandle(id).result();
  return id;
}

test('a purchase stays within its budget of statements, rows and events', async () => {
  const [statementsOf, eventsOf]: [number[], number[]] = [[], []];
  const before = await rowsWritten(world.pool);
  for (let n = 0; n < PURCHASES; n += 1) {
    statements.reset();
    const id = await purchase();
    statementsOf.push(statements.count);
    const history = await world.client.workflow.getHandle(id).fetchHistory();
    eventsOf.push(history.events?.length ?? 0);
  }
  const rows = Math.round(((await rowsWritten(world.pool)) - before) / PURCHASES);
  const cost = { statements: Math.min(...statementsOf), rows, events: Math.min(...eventsOf) };
  expect({ cost, grown: grown(cost, MOST) }).toEqual({ cost, grown: {} });
});
