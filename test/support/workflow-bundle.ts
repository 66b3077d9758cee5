/** The workflow bundle for all test files: built by the first that needs it, in 2 s of processor time. */
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { buildWorkflowBundle } from '../../worker/bundle.ts';

let file: Promise<string> | undefined;

/** @returns the path of the bundle */
export function workflowBundle(): Promise<string> {
  file ??= findOrBuild();
  return file;
}

async function findOrBuild(): Promise<string> {
  const path = process.env.TEST_WORKFLOW_BUNDLE;
  if (!path) throw new Error('TEST_WORKFLOW_BUNDLE is not set: run the tests with "npm test".');
  if (!existsSync(path)) {
    // Two processes may build it at once; each sees a whole file.
    const unfinished = `${path}.${process.pid}`;
    await writeFile(unfinished, await buildWorkflowBundle());
    await rename(unfinished, path);
  }
  return path;
}
