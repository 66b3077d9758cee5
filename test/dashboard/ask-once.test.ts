/** Requests that wait for a new log-in. */
import { expect, test } from '@jest/globals';
import { askOnce } from '../../dashboard/app/session/ask-once.ts';

test('a request made while the person logs in gets the same answer', async () => {
  const shown: boolean[] = [];
  const { ask, answer } = askOnce((isAsked) => shown.push(isAsked));
  const first = ask();
  // A dialog keeps the function from its first render while the log-in window is open.
  const whenLoggedIn = answer;
  const second = ask();
  whenLoggedIn(true);
  expect(await Promise.all([first, second])).toEqual([true, true]);
  expect(shown.at(-1)).toBe(false);
  const third = ask();
  expect(shown.at(-1)).toBe(true);
  answer(false);
  expect(await third).toBe(false);
});

test('after a cancelled log-in, polling does not ask again until the person acts', async () => {
  const shown: boolean[] = [];
  const { ask, answer, act } = askOnce((isAsked) => shown.push(isAsked));
  const asked = ask();
  answer(false);
  expect(await asked).toBe(false);
  const polled = ask();
  expect(shown.at(-1)).toBe(false);
  expect(await polled).toBe(false);
  act();
  const afterAct = ask();
  expect(shown.at(-1)).toBe(true);
  answer(true);
  expect(await afterAct).toBe(true);
});
