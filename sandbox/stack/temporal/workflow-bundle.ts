/**
 * The workflow bundle of this working copy, cached by the content of its sources: every worker of the stack
 * and of the tests needs it, and a build takes 2.5 s of CPU time.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCAL_DIR, PROJECT_DIR } from '../core/directories.ts';
import { runTool } from '../process/tool.ts';

const DIR = join(LOCAL_DIR, 'workflow-bundles');
/** Workflows import nothing else (`npm run check`). */
const INSIDE = ['workflows', 'domain'];
const DAY_MS = 86_400_000;

let found: Promise<string> | undefined;

/** @returns the path of the bundle */
export function workflowBundle(): Promise<string> {
  found ??= findOrBuild();
  return found;
}

async function findOrBuild(): Promise<string> {
  const file = join(DIR, `${sourcesHash()}.js`);
  if (existsSync(file)) return file;
  await mkdir(DIR, { recursive: true });
  // Two processes may build at once: the rename gives each a complete file.
  const unfinished = `${file}.${process.pid}`;
  await runTool(process.execPath, [join(PROJECT_DIR, 'worker/bundle.ts'), unfinished]);
  await rename(unfinished, file);
  deleteOld();
  return file;
}

function sourcesHash(): string {
  const sources = INSIDE.flatMap((folder) =>
    readdirSync(join(PROJECT_DIR, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .sort()
      .map((path) => join(folder, path)),
  );
  const hash = createHash('sha256');
  for (const path of [...sources, 'worker/bundle.ts', 'package-lock.json']) {
    hash.update(`${path}\n`).update(readFileSync(join(PROJECT_DIR, path)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Deletes old bundles, but keeps recent ones: a running worker may still read another branch's. */
function deleteOld(): void {
  for (const name of readdirSync(DIR)) {
    const path = join(DIR, name);
    if (statSync(path).mtimeMs < Date.now() - DAY_MS) rmSync(path, { force: true });
  }
}
