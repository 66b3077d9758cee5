import { execFileSync } from 'node:child_process';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';

/** Selects a sample of a list that is too long for one run: different for each commit, the same when repeated. */
export function seedOfCommit(): number {
  try {
    const options = { cwd: PROJECT_DIR, encoding: 'utf8', stdio: 'pipe' } as const;
    return Number.parseInt(execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], options), 16);
  } catch {
    return Date.now() % 1_000_000; // Without Git, no commit is known.
  }
}
