import { expect, test } from '@jest/globals';
import { type LostUpdate, withEffects } from '../../../activities/restore/lost-requests.ts';

/** A subscription's n-th lost update. */
function updated(update: string, n: number, resumesAt: string | null = null): LostUpdate {
  const at = `2026-11-29T10:0${n}:00.000Z`;
  return { subscriptionId: 'ap_sub_1', operationKey: `${n}`, at, update, name: update, resumesAt };
}

test.each([
  ['a cancellation stops the subscription', [['cancel']], ['stops']],
  ['an undone cancellation is only listed', [['cancel'], ['undoCancel']], [null, null]],
  [
    'a cancellation after an undone cancellation stops the subscription',
    [['cancel'], ['undoCancel'], ['cancel']],
    [null, null, 'stops'],
  ],
  ['moving a trial stops the subscription', [['moveTrial']], ['stops']],
  ['an immediate change stops the subscription', [['changeNow']], ['stops']],
  [
    'if a cancellation follows an immediate change, the cancellation stops the subscription',
    [['changeNow'], ['cancel']],
    [null, 'stops'],
  ],
  [
    'an immediate change stops the subscription if the cancellation after it is undone',
    [['changeNow'], ['cancel'], ['undoCancel']],
    ['stops', null, null],
  ],
  ['a plan change is only listed', [['scheduleChange']], [null]],
  ['a pause applies until its resume date', [['pause', 'D1']], ['pauses D1']],
  [
    'the second of two pauses sets the resume date',
    [
      ['pause', 'D1'],
      ['pause', 'D2'],
    ],
    ['pauses', 'pauses D2'],
  ],
  [
    'a later pause without a resume date removes the date',
    [['pause', 'D1'], ['pause']],
    ['pauses', 'pauses'],
  ],
  ['a resume removes the resume date but not the pause', [['pause', 'D1'], ['resume']], ['pauses', 'pauses']],
  ['a resume without its pause still pauses the subscription', [['resume']], ['pauses']],
  [
    'a pause after a resume sets its resume date',
    [['pause', 'D1'], ['resume'], ['pause', 'D2']],
    ['pauses', 'pauses', 'pauses D2'],
  ],
] as const)('%s', (_what, updates, expected) => {
  const requests = withEffects(updates.map(([update, date], n) => updated(update, n, date ?? null)));
  const told = requests.map(({ effect, resumesAt }) => (resumesAt ? `${effect} ${resumesAt}` : effect));
  expect(told).toEqual(expected);
});
