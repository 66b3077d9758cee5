/**
 * The cost of a renewal without webhooks: statements and rows of the service's database, events of its run's history.
 * None depends on the machine; a change that raises one must justify it here and in docs/performance.md.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from '../../../db/core/pool.ts';
import { wakeSignal } from '../../../workflows/core/messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { countStatements, grown, rowsWritten, type StatementCounter } from '../../support/db/cost.ts';
import { currentDetails } from '../../support/temporal/current-details.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import { chargesOf, subscribe } from '../../support/world/subscription-world.ts';

/** A busy machine can add a task or a repeated statement, so the cheapest of several counts. */
const RENEWALS = 4;

/**
 * Includes the signal sent by the test: a statement and two events. One statement reads whether the charge was stopped
 * during the look-up before its send.
 */
const MOST = { statements: 35, rows: 16, events: 10 };

let world: SessionWorld;
let statements: StatementCounter;
const due: string[] = [];

beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
  for (let n = 0; n <= RENEWALS; n += 1) due.push(await subscribe(world));
  await Promise.all(due.map(asleep));
  await world.pool.query(sql.unsafe`
    update subscriptions set current_period_end = service_clock(), next_action_at = service_clock()
    where id = any (${sql.array(due, 'text')})`);
  // One renewal prepares the statements.
  await renew(due.pop() ?? '');
  statements = countStatements(world.databaseUrl);
});
afterAll(async () => {
  statements?.end();
  await world?.close();
});

/** Waits until the subscription's run has begun and sleeps. */
function asleep(id: string): Promise<void> {
  return eventually(async () =>
    expect(await currentDetails(world.client.workflow.getHandle(id))).not.toBe(''),
  );
}

/** Renews from the end of the period until the workflow sleeps in the next one. */
async function renew(id: string): Promise<void> {
  const handle = world.client.workflow.getHandle(id);
  await handle.signal(wakeSignal);
  await eventually(async () => {
    const details = await currentDetails(handle);
    expect(details).toContain('- Open charge: none');
    expect(Date.parse(/^- Next: .* at (\S+)$/m.exec(details)?.[1] ?? '')).toBeGreaterThan(Date.now());
  });
}

async function eventsIn(id: string): Promise<number> {
  const { events } = await world.client.workflow.getHandle(id).fetchHistory();
  return events?.length ?? 0;
}

test('a renewal stays within its budget of statements, rows and events', async () => {
  const [statementsOf, eventsOf]: [number[], number[]] = [[], []];
  const before = await rowsWritten(world.pool);
  for (const id of due) {
    statements.reset();
    const eventsBefore = await eventsIn(id);
    await renew(id);
    statementsOf.push(statements.count);
    eventsOf.push((await eventsIn(id)) - eventsBefore);
  }
  const rows = Math.round(((await rowsWritten(world.pool)) - before) / RENEWALS);
  for (const id of due) expect(await chargesOf(world, id)).toHaveLength(1);
  const cost = { statements: Math.min(...statementsOf), rows, events: Math.min(...eventsOf) };
  expect({ cost, grown: grown(cost, MOST) }).toEqual({ cost, grown: {} });
});
