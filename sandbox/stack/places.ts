/** Where things lie: what this checkout keeps, and what all checkouts of a user share. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export const PROJECT_DIR = resolve(import.meta.dirname, '../..');
export const LOCAL_DIR = join(PROJECT_DIR, '.local');

/** What was downloaded or built; it survives `--fresh` and a new clone. */
export function cacheDir(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'hosted-checkout');
}
