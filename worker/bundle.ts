/**
 * Bundles the workflow code, without database, rail and web code. Production builds it in advance (`node
 * worker/bundle.ts <file>`), development at start.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

const WORKFLOWS = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
const TRACE_HEADER = fileURLToPath(new URL('../workflows/core/trace-header.ts', import.meta.url));
const PAYLOAD_CONVERTER = fileURLToPath(new URL('../workflows/core/payload-converter.ts', import.meta.url));

/** @returns the bundle's code */
export async function buildWorkflowBundle(): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: WORKFLOWS,
    payloadConverterPath: PAYLOAD_CONVERTER,
    workflowInterceptorModules: [TRACE_HEADER],
    // Loaded once per worker, not once per run: none of these modules keeps a run's state.
    preloadModules: [WORKFLOWS, TRACE_HEADER, PAYLOAD_CONVERTER],
    logger: silent,
  });
  return code;
}

const silent = { log() {}, trace() {}, debug() {}, info() {}, warn: console.warn, error: console.error };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = process.argv[2];
  if (!file || file === '--help') {
    console.log('Usage: node worker/bundle.ts <file>\nWrites the workflow bundle to <file>.');
    process.exit(file ? 0 : 1);
  }
  await writeFile(file, await buildWorkflowBundle());
  console.log(`Wrote the workflow bundle to ${file}.`);
}
