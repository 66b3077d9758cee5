/**
 * `npm test [-- pattern …]`: installs the tests' requirements, runs the tests, and ends with the numbers of
 * passed, failed and skipped tests. `--full` runs the heavy suites (test/full) instead of the others,
 * `--changed[=<commit>]` only tests that a change since that commit (HEAD) can break, and `--slowest` lists
 * the slowest afterwards. In CI (`CI=true`), a file that failed runs again by itself
 * (tools/test/repeat.ts).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPILE_CACHE, cacheDir, PROJECT_DIR } from '../sandbox/stack/core/directories.ts';
import { createProgress } from '../sandbox/stack/core/progress.ts';
import { findTemporal } from '../sandbox/stack/temporal/temporal-binary.ts';
import { readChanged } from './test/changed.ts';
import { findWhatTestsNeed } from './test/needs.ts';
import { readReach } from './test/reach.ts';
import { toRepeat, withRepeated } from './test/repeat.ts';
import { type JestResults, tellResults } from './test/results.ts';
import { tellSlowest } from './test/slowest.ts';

const LEASH = join(PROJECT_DIR, 'sandbox/stack/process/leash.mjs');
const JEST = join(PROJECT_DIR, 'node_modules/jest/bin/jest.js');
/** How long the runner may live after its results: an open handle of a test would keep it alive. */
const LINGER_MS = 15_000;
const HELP = `Usage: npm test [-- pattern …] [-- options]
       npm run test:full [-- pattern …] [-- options]

Installs what the tests need, runs the files whose path matches a pattern, or all, and ends with "N passed, N failed".

  --changed[=<commit>]  only tests that a change since that commit can break (default: since HEAD)
  --slowest             reports afterwards where the time went
  --help                print this text

Other options go to Jest, such as -t <name of a test>.`;
const OWN_OPTION = /^--(full|slowest|changed(=.*)?)$/;

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(HELP);
  process.exit();
}
const passedOn = args.filter((arg) => !OWN_OPTION.test(arg));
const isFull = args.includes('--full');
const changedSince = args.find((arg) => /^--changed(=|$)/.test(arg));

let interruptedBy: 'SIGTERM' | 'SIGINT' | undefined;
const progress = createProgress((line) => process.stderr.write(`${line}\n`));
const reach = readReach(PROJECT_DIR);
const ofThisRun = reach.tests.filter((file) => file.startsWith('test/full/') === isFull);
const chosen = chosenFiles();
const env = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE };
const skipped = await getWhatTestsNeed();
const first = await runJest(changedSince ? chosen : null);
const repeated = await repeatFailed();
const results = first.results && withRepeated(first.results, repeated);

if (results && args.includes('--slowest')) tellSlowest(results, PROJECT_DIR);
const allIsWell = tellResults(results, skipped, PROJECT_DIR);
process.exit(allIsWell && (results?.testResults.length ?? 0) > 0 ? 0 : first.code || 1);

/** The test files that will run, or may: an option of Jest can choose among them. */
function chosenFiles(): readonly string[] {
  if (changedSince) {
    const { files, tests } = readChanged(PROJECT_DIR, changedSince.split('=')[1] || 'HEAD', reach);
    const chosen = tests.filter((file) => ofThisRun.includes(file));
    progress.note(
      `${files.length} files have changed: ${chosen.length} of ${ofThisRun.length} test files depend on them.`,
    );
    if (chosen.length > 0) return chosen;
    console.log('\n0 passed, 0 failed');
    process.exit(0);
  }
  const patterns = passedOn.filter((arg) => !arg.startsWith('-'));
  if (patterns.length === 0 || patterns.length < passedOn.length) return ofThisRun;
  return ofThisRun.filter((file) => patterns.some((pattern) => new RegExp(pattern, 'i').test(file)));
}

async function getWhatTestsNeed() {
  try {
    await findTemporal({ env, cacheDir: cacheDir(env), progress });
    return await findWhatTestsNeed(chosen, reach, env, progress);
  } catch (error) {
    progress.note((error as Error).message);
    console.log('\n0 passed, 1 failed');
    process.exit(1);
  }
}

async function repeatFailed(): Promise<JestResults | undefined> {
  const files = process.env.CI && first.results ? toRepeat(first.results, PROJECT_DIR) : [];
  if (files.length === 0) return undefined;
  progress.note(`Rerunning by themselves: ${files.join(', ')}`);
  return (await runJest(files, 1)).results;
}

/**
 * Runs Jest under `leash.mjs`: a SIGTERM or SIGKILL of this process ends the runner and everything that it started.
 * @param files null for those that Jest chooses
 * @param atOnce the number of workers; if absent, 3 for the heavy suites, otherwise Jest's default
 */
async function runJest(
  files: readonly string[] | null,
  atOnce?: number,
): Promise<{ readonly code: number; readonly results: JestResults | undefined }> {
  const workDir = mkdtempSync(join(tmpdir(), 'checkout-test-results-'));
  const resultsFile = join(workDir, 'results.json');
  const node = ['--disable-warning=ExperimentalWarning'];
  const results = ['--json', `--outputFile=${resultsFile}`];
  const what = files ? [...passedOn, '--runTestsByPath', ...files] : passedOn;
  const projects = isFull ? ['full', 'waiting', 'alone'] : ['tests'];
  // The heavy suites start whole stacks, which exceed their time limits when four of them work at a time.
  const most = atOnce ?? (isFull && !passedOn.some((arg) => arg.startsWith('--maxWorkers')) ? 3 : undefined);
  const workers = most === undefined ? [] : [`--maxWorkers=${most}`];
  const jest = [JEST, '--selectProjects', ...projects, ...workers, ...results, ...what];
  const leashed = { command: process.execPath, args: [...node, ...jest] };
  const runner = spawn(process.execPath, [LEASH, JSON.stringify(leashed)], {
    cwd: PROJECT_DIR,
    env: { ...env, TEST_SKIP: JSON.stringify(skipped.map(({ file }) => file)) },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const interrupt = (signal: typeof interruptedBy) => {
    interruptedBy = signal;
    runner.kill();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, interrupt);
  let sinceTold = 0;
  const watch = setInterval(() => {
    if (!existsSync(resultsFile)) return;
    sinceTold ||= Date.now();
    if (Date.now() - sinceTold > LINGER_MS) runner.kill();
  }, 1_000);
  const [code] = (await once(runner, 'exit')) as [number | null];
  clearInterval(watch);
  const read = { code: code ?? 1, results: readResults(resultsFile) };
  rmSync(workDir, { recursive: true, force: true });
  if (interruptedBy) {
    console.log(`\nInterrupted by ${interruptedBy}: not all tests have run.`);
    process.exit(128 + constants.signals[interruptedBy]);
  }
  return read;
}

function readResults(resultsFile: string): JestResults | undefined {
  if (!existsSync(resultsFile)) return undefined;
  const results = JSON.parse(readFileSync(resultsFile, 'utf8'));
  // With `--listTests`, Jest prints a list instead of results.
  return Array.isArray(results) ? undefined : results;
}
