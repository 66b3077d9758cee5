/**
 * Simulations of the model are replayed against the real workflow, so that model and code cannot drift apart:
 * after each step both are in the same state. The commit hash seeds them; override with ARRIVALS_SEED=<n>.
 * @needs spin
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from '../../../db/core/pool.ts';
import { railWebhookSignal } from '../../../workflows/core/messages.ts';
import { seedOfCommit } from '../../support/core/seed-of-commit.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import { inParallel } from '../arrivals/explore.ts';
import { keepBreakerClosed, ScriptedRail } from '../arrivals/scripted-rail.ts';
import { SessionMachine, scriptOfClick, TIMINGS, unlessOver } from '../arrivals/session-messages.ts';
import { type Course, courseOf, type Step, simulate } from './traces.ts';

const SIMULATIONS = 60;
const APPROVED = '4242424242424242';
const DECLINED = '4000000000000002';
const CARDS: Readonly<Record<Course, readonly [card: string, script: string]>> = {
  approved: [APPROVED, 'answered'],
  declined: [DECLINED, 'answered'],
  'approved, unanswered': [APPROVED, 'silent'],
  'declined, unanswered': [DECLINED, 'silent'],
  lost: [APPROVED, 'lost'],
};
/** The states with an open attempt, for which the model has a single one. */
const OPEN = new Set(['processing', 'requires_action', 'reconciliation_required']);
/** Steps that only the rail takes; the session learns of them later. */
const OF_RAIL = ['charged', 'declined', 'returned', 'repeated'];
const seed = Number(process.env.ARRIVALS_SEED ?? seedOfCommit());

let world: SessionWorld;
// The model's rail cannot prevent a call from arriving: `notFound` is final only after the call's deadline.
const rail = new ScriptedRail((paymentId) => scriptOfClick(world, paymentId), { cancelHolds: false });

beforeAll(async () => {
  world = await createSessionWorld({
    timings: TIMINGS,
    wrapRail: rail.wrap,
    // Long enough that a call ends only when the simulation ends it.
    railCallTimeoutSeconds: 600,
  });
  await keepBreakerClosed(world.pool);
  await world.startWorker();
});
afterAll(() => world.close());

test('the real workflow goes through the states of the model', async () => {
  const traces = new Map<string, readonly Step[]>();
  for (let n = 0; n < SIMULATIONS; n++) {
    const trace = await simulate(seed + n);
    traces.set(trace.map(({ what, attempt }) => `${what} ${attempt}`).join(', '), trace);
  }
  process.stderr.write(`replay: ${traces.size} different traces of ${SIMULATIONS}, ARRIVALS_SEED=${seed}\n`);
  expect(traces.size).toBeGreaterThan(SIMULATIONS / 6);
  await inParallel([...traces], ([name, trace]) => replay(name, trace));
}, 300_000);

async function replay(name: string, trace: readonly Step[]): Promise<void> {
  const machine = new SessionMachine(world, rail);
  const session = await machine.begin();
  const { id } = session;
  const handle = world.client.workflow.getHandle(id);
  const paymentOf = async (attempt: number) => (await world.payments(id))[attempt]?.id ?? '';
  const wake = () => machine.send(session, 'wake');

  async function act({ what, attempt }: Step, at: number): Promise<void> {
    switch (what) {
      case 'click': {
        const [card, script] = CARDS[courseOf(trace, at)];
        const claimId = `${script}-${randomUUID()}`;
        await world.storeClick(id, card, claimId, 600);
        await world.sendPay(id, claimId);
        // Answered only after all work started by the click.
        return machine.settled(session);
      }
      case 'look':
        rail.speakAgain(await paymentOf(attempt));
        await unlessOver(handle.signal(railWebhookSignal, { attemptId: await paymentOf(attempt) }));
        return machine.settled(session);
      case 'neverSent':
        await pastDeadline(await paymentOf(attempt));
        return wake();
      case 'repeated':
        return rail.repeat(await paymentOf(attempt));
      case 'expire':
        return machine.send(session, 'expiry');
      case 'resolveCharged':
      case 'resolveDeclined':
      case 'resolveRefused':
        await wake();
        rail.speakAgain(await paymentOf(attempt));
        return machine.send(session, what === 'resolveRefused' ? 'resolve as paid' : 'resolve as failed');
      case 'resolvePaid':
      case 'resolveFailed':
        await wake();
        return machine.send(session, what === 'resolvePaid' ? 'resolve as paid' : 'resolve as failed');
    }
  }

  for (const [at, step] of trace.entries()) {
    await act(step, at);
    const { state } = await world.view(id);
    const seen = OPEN.has(state) ? 'processing' : state;
    const isHeard = !isAhead(trace, at) && !OF_RAIL.includes(step.what);
    if (isHeard) expect({ name, at, ...step, session: seen }).toEqual({ name, at, ...step });
  }
  await machine.end(session);
}

/** The service settles an answered click in one step; the model takes two. */
function isAhead(trace: readonly Step[], at: number): boolean {
  return trace.slice(0, at + 1).some(({ what, attempt }, click) => {
    if (what !== 'click' || courseOf(trace, click).match(/lost|unanswered/)) return false;
    const since = trace.slice(click + 1, at + 1);
    return !since.some((step) => step.what === 'answer' && step.attempt === attempt);
  });
}

async function pastDeadline(paymentId: string): Promise<void> {
  await world.pool.query(sql.unsafe`
    update payments set call_deadline = service_clock() - interval '1 minute'
    where id = ${paymentId} and call_deadline is not null
  `);
}
