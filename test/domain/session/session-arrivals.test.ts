import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isOpen } from '../../../domain/payment/payment.ts';
import { isFinal } from '../../../domain/session/session.ts';
import { MAX_ATTEMPTS, ModelledSession } from './modelled-session.ts';
import { type Charge, type Script, SETTLED, simulateRail } from './simulated-rail.ts';

const ARMS = {
  answer: (session) => session.answer(0),
  webhook: (session) => session.webhook(0),
  poll: (session) => session.poll({ answered: true }),
  expiry: (session) => session.expire(),
  operator: (session) => session.resolve(),
} satisfies Record<string, (session: ModelledSession) => void>;
type Arm = keyof typeof ARMS;

const SCRIPTS: readonly Script[] = [
  { arrives: false, first: 'declined', next: 'declined', answerKept: false },
  ...[true, false].flatMap((answerKept) => [
    ...(['approved', 'declined'] as const).map((first) => ({
      arrives: true,
      first,
      next: first,
      answerKept,
    })),
    ...(['challenge', 'pending'] as const).flatMap((first) =>
      (['approved', 'declined'] as const).map((next) => ({ arrives: true, first, next, answerKept })),
    ),
  ]),
];

/**
 * Completes everything pending: calls arrive, buyer and processor decide, time passes, and the rail is
 * queried.
 */
function comeToRest(session: ModelledSession): void {
  session.rail.passDeadline();
  for (const charge of session.rail.charges) session.rail.settle(charge);
  session.expire();
  for (let polls = 0; polls < 3 && !isFinal(session.state); polls++) session.poll({ answered: true });
}

/** How the ended session contradicts the rail's ledger; null if they agree. */
function disagreement(session: ModelledSession): string | null {
  const { state, payments, rail } = session;
  if (!isFinal(state)) return `still ${state}`;
  if (!rail.charges.every(({ truth }) => SETTLED.includes(truth))) return `${state} before the rail was`;
  const charged = session.charged().length;
  if (charged !== (state === 'succeeded' ? 1 : 0)) return `${state} with ${charged} charges`;
  for (const { status, charge } of payments) {
    if (isOpen(status)) return `${status} in a session that ${state}`;
    if ((status === 'succeeded') !== (charge.truth === 'approved')) return `${status}, but ${charge.truth}`;
    if (charge.truth === 'cancelled' && status !== 'cancelled') return `${status}, but cancelled at the rail`;
    if (charge.truth === 'declined' && status !== 'failed') return `${status}, but declined`;
  }
  return null;
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}

describe('one attempt, with its answer, webhook, poll, expiry and operator in every order', () => {
  const orders = permutations(Object.keys(ARMS) as Arm[]);
  const label = (s: Script) => {
    if (!s.arrives) return 'lost on its way';
    const decision = s.first === s.next ? s.first : `${s.first}, then ${s.next}`;
    return `${decision}${s.answerKept ? '' : ', its answer lost'}`;
  };
  const cases = [true, false].flatMap((cancelHolds) =>
    SCRIPTS.map(
      (script) =>
        [
          label(script),
          cancelHolds ? 'also stops a call in flight' : 'does not stop a call in flight',
          script,
          cancelHolds,
        ] as const,
    ),
  );

  test.each(cases)(
    'the session agrees with the rail if a call is %s, and a cancel %s',
    (_label, _holds, script, cancelHolds) => {
      for (const order of orders) {
        for (let arrivesBefore = 0; arrivesBefore <= order.length; arrivesBefore++) {
          for (let settlesBefore = arrivesBefore; settlesBefore <= order.length; settlesBefore++) {
            const session = new ModelledSession(simulateRail(cancelHolds));
            session.pay(script);
            const [charge] = session.rail.charges as [Charge];
            order.forEach((arm, turn) => {
              if (turn === arrivesBefore) session.rail.arrive(charge);
              if (turn === settlesBefore) session.rail.settle(charge);
              ARMS[arm](session);
            });
            comeToRest(session);
            const difference = disagreement(session);
            if (difference) throw new Error(`${order.join(', ')}: ${difference}`);
          }
        }
      }
    },
  );
});

/** One event as data, so that a failing run is readable. */
type Step =
  | { readonly what: 'pay'; readonly script: Script }
  | { readonly what: 'arrives' | 'settles' | 'answer' | 'webhook'; readonly attempt: number }
  | { readonly what: 'poll'; readonly answered: boolean }
  | { readonly what: 'cancelAttempt' | 'cancelSession' | 'expire' | 'resolve' | 'restart' };

function perform(session: ModelledSession, step: Step): void {
  if (step.what === 'pay') session.pay(step.script);
  else if (step.what === 'poll') session.poll(step);
  else if (step.what === 'answer' || step.what === 'webhook') session[step.what](step.attempt);
  else if (step.what === 'arrives' || step.what === 'settles') {
    const charge = session.rail.charges[step.attempt];
    if (charge) session.rail[step.what === 'arrives' ? 'arrive' : 'settle'](charge);
  } else session[step.what]();
}

describe('a session of several attempts', () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ what: fc.constant('pay' as const), script: fc.constantFrom(...SCRIPTS) }),
    },
    {
      weight: 12,
      arbitrary: fc.record({
        what: fc.constantFrom('arrives', 'settles', 'answer', 'webhook'),
        attempt: fc.nat(MAX_ATTEMPTS - 1),
      }),
    },
    { weight: 3, arbitrary: fc.record({ what: fc.constant('poll' as const), answered: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ what: fc.constantFrom('cancelAttempt', 'resolve', 'restart') }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('cancelSession', 'expire') }) },
  );
  const steps = fc.array(step, { minLength: 5, maxLength: 60, size: 'max' });

  test('agrees with the rail, charges once and makes only legal transitions, in any order of events', () => {
    const ends = new Set<string>();
    fc.assert(
      fc.property(fc.boolean(), steps, (cancelHolds, happening) => {
        const session = new ModelledSession(simulateRail(cancelHolds));
        for (const one of happening) perform(session, one);
        comeToRest(session);
        expect(disagreement(session)).toBeNull();
        ends.add(session.failureReason ?? session.state);
      }),
      { numRuns: 5_000 },
    );
    // Coverage: the runs reached every possible end.
    expect([...ends].sort()).toEqual([
      'attempts_exhausted',
      'cancelled',
      'expired',
      'resolved_by_operator',
      'succeeded',
    ]);
  });

  test('stays ended, whatever arrives afterwards', () => {
    fc.assert(
      fc.property(fc.boolean(), steps, steps, (cancelHolds, before, after) => {
        const session = new ModelledSession(simulateRail(cancelHolds));
        for (const one of before) perform(session, one);
        comeToRest(session);
        const end = JSON.stringify([session.state, session.failureReason, session.payments]);
        for (const one of after) perform(session, one);
        expect(JSON.stringify([session.state, session.failureReason, session.payments])).toBe(end);
      }),
      { numRuns: 1_000 },
    );
  });
});
