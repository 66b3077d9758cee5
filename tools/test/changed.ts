/**
 * `npm test -- --changed[=<commit>]`: finds the files that differ from a commit, and the tests that they can break.
 */
import { execFileSync } from 'node:child_process';
import type { Reach } from './reach.ts';

/** Files that every test depends on. */
const EVERYTHING = /^(package(-lock)?\.json|jest\.config\.js|test\/runner\/.*|test\/support\/global-.*)$/;

export interface Changed {
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

/** @throws an Error when Git does not know the commit */
export function readChanged(project: string, base: string, reach: Reach): Changed {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
      .split('\n')
      .filter((line) => line !== '');
  // Compares with the merge base, so that others' later changes do not count.
  const since = base === 'HEAD' ? base : (git('merge-base', base, 'HEAD')[0] ?? base);
  const files = [
    ...git('diff', '--name-only', '--no-renames', since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  return { files, tests: files.some((file) => EVERYTHING.test(file)) ? reach.tests : reach.testsOf(files) };
}
