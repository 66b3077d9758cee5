import { expect, test } from '@jest/globals';
import { id, instant, lookupTimings, message, nothing, text } from '../../../workflows/core/parse-message.ts';

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['an empty text', ''],
  ['a blank', ' '],
  ['2,001 characters', 'x'.repeat(2_001)],
  ['a text with a NUL', 'ends\0here'],
  ['half a surrogate pair', 'ends\ud800here'],
])('%s is rejected', (_what, reason) => {
  expect(() => text(reason, 'reason')).toThrow('reason must be a string of 1 to 2000 characters');
});

test('a space is accepted as an id; it matches nothing', () => {
  expect(id(' ', 'targetPlanId')).toBe(' ');
  expect(() => id('', 'targetPlanId')).toThrow('targetPlanId must be');
});

test('multi-line text and non-ASCII names are accepted', () => {
  const words = `The bank says so.\nSecond line: Žofie 👍 ${'x'.repeat(1_900)}`;
  expect(text(words, 'reason')).toBe(words);
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'ap_pay_1'],
  ['a list', ['ap_pay_1']],
  ['an object without the field', { payment: 'ap_pay_1' }],
])('%s is not a message', (_what, given) => {
  expect(() => message({ attemptId: text })(given, 'railWebhook')).toThrow(
    /^(railWebhook|attemptId) must be/,
  );
});

test('a message keeps only its named fields', () => {
  const given = { attemptId: 'ap_pay_1', card: '4242' };
  expect(message({ attemptId: text })(given, 'railWebhook')).toEqual({ attemptId: 'ap_pay_1' });
});

test.each(['2027-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '2027-01-31T00:00:00+01:00', 'tomorrow', 7])(
  '%s is rejected as an instant',
  (given) => {
    expect(() => instant(given, 'to')).toThrow('to must be a UTC timestamp');
  },
);

test.each(['2027-01-31T00:00:00Z', '2027-01-31T00:00:00.123Z', '2027-01-31T00:00:00.123456Z'])(
  '%s is accepted as an instant',
  (given) => {
    expect(instant(given, 'to')).toBe(given);
  },
);

test('look-up times need at least one interval', () => {
  const quick = { reconcileSeconds: [1], reconcileLongSeconds: [] };
  expect(lookupTimings(quick, 'timings')).toEqual(quick);
  const atOnce = { reconcileSeconds: [0], reconcileLongSeconds: [0, 300] };
  expect(lookupTimings(atOnce, 'timings')).toEqual(atOnce);
  const none = { reconcileSeconds: [], reconcileLongSeconds: [] };
  expect(() => lookupTimings(none, 'timings')).toThrow('timings must contain at least one interval');
  const words = { reconcileSeconds: ['1 s'], reconcileLongSeconds: [] };
  expect(() => lookupTimings(words, 'timings')).toThrow('reconcileSeconds must be a list of seconds');
  const past = { reconcileSeconds: [-1], reconcileLongSeconds: [] };
  expect(() => lookupTimings(past, 'timings')).toThrow('reconcileSeconds must be a list of seconds');
});

test('a message without input rejects any input', () => {
  expect(() => nothing({ a: 1 }, 'status')).toThrow('status takes no input');
  expect(() => nothing(undefined, 'status')).not.toThrow();
});
