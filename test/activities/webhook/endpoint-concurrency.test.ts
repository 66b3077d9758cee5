import { describe, expect, test } from '@jest/globals';
import { EndpointConcurrency } from '../../../activities/webhook/endpoint-concurrency.ts';

/** The concurrency after each result; `+` is a success, `-` a failure. */
function sizes(concurrency: EndpointConcurrency, results: string): number[] {
  return [...results].map((result) => {
    concurrency.adjust(result === '+');
    return concurrency.size;
  });
}

describe('the number of concurrent posts to one endpoint', () => {
  test('starts at four, or at one if the endpoint is failing', () => {
    expect(new EndpointConcurrency(32, false).size).toBe(4);
    expect(new EndpointConcurrency(32, true).size).toBe(1);
    expect(new EndpointConcurrency(2, false).size).toBe(2);
  });

  test('grows by one with each success, up to its limit', () => {
    expect(sizes(new EndpointConcurrency(6, false), '++++')).toEqual([5, 6, 6, 6]);
  });

  test('halves with each failure, down to one, and recovers', () => {
    const concurrency = new EndpointConcurrency(32, false);
    sizes(concurrency, '+'.repeat(28));
    expect(sizes(concurrency, '------')).toEqual([16, 8, 4, 2, 1, 1]);
    expect(sizes(concurrency, '+++')).toEqual([2, 3, 4]);
  });

  test('backs off after more than three failures in a row, in proportion to the time without success, up to 250 ms', () => {
    const concurrency = new EndpointConcurrency(32, false, 0);
    const restAfter = (result: string, atMs: number) => {
      concurrency.adjust(result === '+', atMs);
      return Math.max(0, concurrency.restsUntilMs - atMs);
    };
    expect([...'----'].map((each) => restAfter(each, 100))).toEqual([0, 0, 0, 5]);
    expect([1_000, 2_000, 5_000, 60_000].map((atMs) => restAfter('-', atMs))).toEqual([50, 100, 250, 250]);
    expect([...'+---'].map((each) => restAfter(each, 60_000))).toEqual([0, 0, 0, 0]);
    expect(restAfter('-', 61_000)).toBe(50);
  });
});
