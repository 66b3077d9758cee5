/**
 * @reads activities api db domain page secrets temporal workflows
 * @reads test/api test/db test/domain test/faults test/page test/secrets test/workflows
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { MUTANTS } from './mutants.ts';

test.each(MUTANTS)(
  'the mutant of $file applies at "$find", and its tests exist',
  ({ file, find, tests, named }) => {
    const source = readFileSync(join(PROJECT_DIR, file), 'utf8');
    expect(source.split(find)).toHaveLength(2);
    expect(tests.filter((each) => !existsSync(join(PROJECT_DIR, each)))).toEqual([]);
    for (const each of named ? tests : [])
      expect(readFileSync(join(PROJECT_DIR, each), 'utf8')).toContain(named);
  },
);
