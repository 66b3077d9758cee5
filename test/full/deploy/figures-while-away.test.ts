import { test } from '@jest/globals';
import { watchFiguresWhileAway } from '../../support/api/figures-while-away.ts';

test(
  'database metrics are absent while PostgreSQL hangs or refuses connections for a minute, and current afterwards',
  () => watchFiguresWhileAway(60_000),
  400_000,
);
