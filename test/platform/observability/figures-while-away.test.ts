import { test } from '@jest/globals';
import { watchFiguresWhileAway } from '../../support/api/figures-while-away.ts';

test('database metrics are absent while PostgreSQL hangs or refuses connections, and current afterwards', () =>
  watchFiguresWhileAway(0));
