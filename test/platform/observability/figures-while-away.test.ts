import { test } from '@jest/globals';
import { watchFiguresWhileAway } from '../../support/api/figures-while-away.ts';

test('no figure of a PostgreSQL that hangs or refuses connections is shown, and afterwards each is current', () =>
  watchFiguresWhileAway(0));
