/** One `npm start` per working copy: two would share one database directory. */
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pidsWith } from './leftovers.ts';

/** Part of the command line of every process that takes this lock. */
const PROGRAM = 'bin/start.ts';

/**
 * @returns a function that releases the lock
 * @throws Error with the id of the process that holds the lock
 */
export function takeRunLock(file: string): () => void {
  mkdirSync(dirname(file), { recursive: true });
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, `${process.pid}`);
  try {
    if (!link(mine, file)) {
      const holder = Number(readFileSync(file, 'utf8'));
      // A restarted container repeats process ids: our own in the file is an earlier boot's.
      if (holder !== process.pid && pidsWith(PROGRAM).includes(holder)) {
        throw new Error(`This working copy is already running (process ${holder}). Stop it first.`);
      }
      rmSync(file, { force: true });
      if (!link(mine, file)) throw new Error('Another start of this working copy took the lock first.');
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return () => rmSync(file, { force: true });
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}
