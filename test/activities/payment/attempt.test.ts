import { expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { attemptsOf } from '../../../activities/payment/attempt.ts';
import type { Answer } from '../../../db/payment/rail-calls.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';

const of = { ownerId: 'ap_chk_1', attemptId: 'ap_pay_1' } as Parameters<
  ReturnType<typeof attemptsOf<AttemptOutcome, string>>['continueAttempt']
>[0];

function attempts() {
  const calls: PromiseWithResolvers<Answer<AttemptOutcome>>[] = [];
  const made = attemptsOf<AttemptOutcome, string>(
    { session: { withinTaskMs: 5 }, logger: pino({ level: 'silent' }) } as unknown as Parameters<
      typeof attemptsOf
    >[0],
    {
      name: 'test',
      send: () => {
        const call = Promise.withResolvers<Answer<AttemptOutcome>>();
        calls.push(call);
        return call.promise;
      },
      lookUp: () => Promise.reject(new Error('not asked')),
      record: async ({ outcome }) => `recorded ${outcome.kind}`,
      view: async () => 'open',
    },
  );
  const begin = made.begin(async ({ attemptId }: typeof of) => ({ attemptId }));
  const inTry = (attempt: number) => new MockActivityEnvironment({ attempt });
  return { calls, begin, continueAttempt: made.continueAttempt, inTry };
}

const APPROVED = {
  attemptId: 'ap_pay_1',
  outcome: { kind: 'approved' },
  details: null,
} as Answer<AttemptOutcome>;
const UNKNOWN = {
  attemptId: 'ap_pay_1',
  outcome: { kind: 'unknown' },
  details: null,
} as Answer<AttemptOutcome>;

test('an activity awaits the call started in its workflow’s task instead of making another', async () => {
  const { calls, begin, continueAttempt, inTry } = attempts();
  expect(await inTry(1).run(begin, of)).toMatchObject({ outcome: null, view: 'open' });
  const joined = inTry(1).run(continueAttempt, of);
  calls[0]?.resolve(APPROVED);
  expect(await joined).toMatchObject({ view: 'recorded approved' });
  expect(calls).toHaveLength(1);
});

test('a retried activity reads the attempt’s row instead of joining a call that may hang', async () => {
  const { calls, continueAttempt, inTry } = attempts();
  const hanging = inTry(1).run(continueAttempt, of);
  const retried = inTry(2).run(continueAttempt, of);
  expect(calls).toHaveLength(2);
  calls[1]?.resolve(UNKNOWN);
  expect(await retried).toMatchObject({ view: 'recorded unknown' });
  calls[0]?.resolve(APPROVED);
  expect(await hanging).toMatchObject({ view: 'recorded approved' });
});
