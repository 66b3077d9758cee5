import { expect, test } from '@jest/globals';
import { type LostUpdate, withEffects } from '../../../activities/restore/lost-effects.ts';

/** The n-th of a subscription's lost updates. */
function updated(update: string, n: number, resumesAt: string | null = null): LostUpdate {
  const at = `2026-11-29T10:0${n}:00.000Z`;
  return { subscriptionId: 'ap_sub_1', operationKey: `${n}`, at, update, name: update, resumesAt };
}

test.each([
  ['a cancellation stops', [['cancel']], ['stops']],
  ['a cancellation that was taken back is listed', [['cancel'], ['undoCancel']], [null, null]],
  ['a cancellation after it stops', [['cancel'], ['undoCancel'], ['cancel']], [null, null, 'stops']],
  ['a move of a trial stops', [['moveTrial']], ['stops']],
  ['a change of plan is listed', [['scheduleChange']], [null]],
  ['a pause pauses until its date', [['pause', 'D1']], ['pauses D1']],
  [
    'of two pauses, the date of the second counts',
    [
      ['pause', 'D1'],
      ['pause', 'D2'],
    ],
    ['pauses', 'pauses D2'],
  ],
  ['a pause without a date replaces one with a date', [['pause', 'D1'], ['pause']], ['pauses', 'pauses']],
  ['a pause that was ended has no date', [['pause', 'D1'], ['resume']], ['pauses', 'pauses']],
  ['the end of an older pause pauses', [['resume']], ['pauses']],
  [
    'a pause after an end has its date',
    [['pause', 'D1'], ['resume'], ['pause', 'D2']],
    ['pauses', 'pauses', 'pauses D2'],
  ],
] as const)('%s', (_what, updates, expected) => {
  const requests = withEffects(updates.map(([update, date], n) => updated(update, n, date ?? null)));
  const told = requests.map(({ effect, resumesAt }) => (resumesAt ? `${effect} ${resumesAt}` : effect));
  expect(told).toEqual(expected);
});
