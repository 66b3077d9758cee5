import { expect, test } from '@jest/globals';
import { DEFAULT_RETENTION, LEAST_RETENTION, type RetentionKind } from '../../../domain/core/retention.ts';

test('each kind of row has a minimum retention, and no default is below it', () => {
  const kinds = Object.keys(DEFAULT_RETENTION) as RetentionKind[];
  expect(Object.keys(LEAST_RETENTION)).toEqual(kinds);
  expect(kinds.filter((kind) => DEFAULT_RETENTION[kind] < LEAST_RETENTION[kind])).toEqual([]);
});
