import { expect, test } from '@jest/globals';
import { failureOf } from '../../rail/network-failure.ts';

const failed = (code?: string) => Object.assign(new TypeError('fetch failed'), code && { cause: { code } });

test.each([
  ['ECONNREFUSED', 'not_sent'],
  ['ENOTFOUND', 'not_sent'],
  ['UND_ERR_CONNECT_TIMEOUT', 'not_sent'],
  ['ECONNRESET', 'connection_lost'],
  ['EPIPE', 'connection_lost'],
  ['UND_ERR_SOCKET', 'connection_lost'],
  ['UND_ERR_HEADERS_TIMEOUT', 'connection_lost'],
  [undefined, 'connection_lost'],
] as const)('%s before the deadline is %s', (code, reason) => {
  expect(failureOf(failed(code), new AbortController().signal)).toBe(reason);
});

test('after the deadline every failure counts as a time-out', () => {
  expect(failureOf(failed('ECONNREFUSED'), AbortSignal.abort())).toBe('timeout');
});
