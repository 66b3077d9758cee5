import { describe, expect, test } from '@jest/globals';
import { Window } from '../../../activities/webhook/window.ts';

/** The window's size after each result: `+` a success, `-` a failure. */
function sizes(window: Window, judgements: string): number[] {
  return [...judgements].map((judgement) => {
    window.judge(judgement === '+');
    return window.size;
  });
}

describe('the window of concurrent posts to one endpoint', () => {
  test('starts at four, or at one for a failing endpoint', () => {
    expect(new Window(32, false).size).toBe(4);
    expect(new Window(32, true).size).toBe(1);
    expect(new Window(2, false).size).toBe(2);
  });

  test('grows by one with each success, up to its limit', () => {
    expect(sizes(new Window(6, false), '++++')).toEqual([5, 6, 6, 6]);
  });

  test('halves with each failure, down to one, and recovers', () => {
    const window = new Window(32, false);
    sizes(window, '+'.repeat(28));
    expect(sizes(window, '------')).toEqual([16, 8, 4, 2, 1, 1]);
    expect(sizes(window, '+++')).toEqual([2, 3, 4]);
  });

  test('rests after more than three failures in a row, in proportion to the time without success, up to 250 ms', () => {
    const window = new Window(32, false, 0);
    const restAfter = (judgement: string, atMs: number) => {
      window.judge(judgement === '+', atMs);
      return Math.max(0, window.restsUntilMs - atMs);
    };
    expect([...'----'].map((each) => restAfter(each, 100))).toEqual([0, 0, 0, 5]);
    expect([1_000, 2_000, 5_000, 60_000].map((atMs) => restAfter('-', atMs))).toEqual([50, 100, 250, 250]);
    expect([...'+---'].map((each) => restAfter(each, 60_000))).toEqual([0, 0, 0, 0]);
    expect(restAfter('-', 61_000)).toBe(50);
  });
});
