/**
 * `npm test [-- pattern …]`: gets what the tests need, runs them, and ends with a line that is true:
 * how many passed and failed. `--full` runs the heavy suites (test/full) instead of the others.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { cacheDir, PROJECT_DIR } from '../sandbox/stack/places.ts';
import { createProgress } from '../sandbox/stack/progress.ts';
import { findTemporal } from '../sandbox/stack/temporal-binary.ts';
import { findTestServer } from '../sandbox/stack/test-server.ts';
import { hasTool } from '../sandbox/stack/tool.ts';

const LEASH = join(PROJECT_DIR, 'sandbox/stack/leash.mjs');
const JEST = join(PROJECT_DIR, 'node_modules/jest/bin/jest.js');
/** A test that left something open keeps the runner alive when all is told: not longer than this. */
const LINGER_MS = 15_000;

interface JestResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const args = process.argv.slice(2);
const passedOn = args.filter((arg) => arg !== '--full');

await getWhatTestsNeed();
const workDir = mkdtempSync(join(tmpdir(), 'checkout-test-results-'));
const resultsFile = join(workDir, 'results.json');
const code = await runJest(args.includes('--full') ? 'full' : 'tests');
const results = readResults();
rmSync(workDir, { recursive: true, force: true });

const passed = results?.numPassedTests ?? 0;
// A file that could not even be loaded counts as a failure, and so does a runner that broke.
const failed = results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 1;
const skipped = results ? results.numPendingTests + results.numTodoTests : 0;
for (const failure of results ? failuresOf(results) : []) console.log(`failed: ${failure}`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
const ranAny = passed + failed + skipped > 0;
process.exit(results?.success && failed === 0 && ranAny ? 0 : code || 1);

async function getWhatTestsNeed(): Promise<void> {
  const progress = createProgress((line) => process.stderr.write(`${line}\n`));
  const needs = { env: process.env, cacheDir: cacheDir(process.env), progress };
  try {
    await findTemporal(needs);
    await findTestServer(needs);
  } catch (error) {
    progress.note((error as Error).message);
    console.log('\n0 passed, 1 failed');
    process.exit(1);
  }
  for (const [tool, reason] of [
    ['chromium', 'the tests of the hosted page need a browser'],
    ['faketime', 'the tests with a wrong clock need it'],
  ] as const) {
    if (await hasTool(tool, '--version')) continue;
    progress.note(`${tool} is not installed (on Debian: apt-get install ${tool}): ${reason}, and will fail.`);
  }
}

/** On a leash: a SIGTERM or SIGKILL of this process ends the runner, and with it all that it started. */
async function runJest(project: string): Promise<number> {
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  // The heavy suites measure time and load the machine: never two of them at once.
  const workers = project === 'full' ? ['--maxWorkers=1'] : [];
  const results = ['--json', `--outputFile=${resultsFile}`];
  const jest = [JEST, '--selectProjects', project, ...workers, ...results, ...passedOn];
  const leashed = { command: process.execPath, args: [...node, ...jest] };
  const runner = spawn(process.execPath, [LEASH, JSON.stringify(leashed)], {
    cwd: PROJECT_DIR,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => runner.kill());
  let sinceTold = 0;
  const watch = setInterval(() => {
    if (!existsSync(resultsFile)) return;
    sinceTold ||= Date.now();
    if (Date.now() - sinceTold > LINGER_MS) runner.kill();
  }, 1_000);
  const [code] = (await once(runner, 'exit')) as [number | null];
  clearInterval(watch);
  return code ?? 1;
}

/** One line each, at the end, where they are found without searching the log. */
function failuresOf({ testResults }: JestResults): string[] {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(PROJECT_DIR, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [`${file}: could not be run`] : [];
    return failed.map(({ fullName }) => `${file}: ${fullName}`);
  });
}

function readResults(): JestResults | undefined {
  if (!existsSync(resultsFile)) return undefined;
  return JSON.parse(readFileSync(resultsFile, 'utf8'));
}
