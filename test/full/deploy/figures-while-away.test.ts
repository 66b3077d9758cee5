import { test } from '@jest/globals';
import { watchFiguresWhileAway } from '../../support/api/figures-while-away.ts';

test(
  'the figures while PostgreSQL hangs for a minute, and while it refuses connections for another',
  () => watchFiguresWhileAway(60_000),
  400_000,
);
