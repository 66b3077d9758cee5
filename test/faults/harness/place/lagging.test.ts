import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../../../sandbox/stack/core/directories.ts';
import { LAGGING_TRUST } from './lagging.ts';

test('the patch that makes the rail lag still applies to the source', () => {
  const { file, find } = LAGGING_TRUST;
  expect(readFileSync(join(PROJECT_DIR, file), 'utf8').split(find)).toHaveLength(2);
});
