/**
 * `npm run mutations -- <file …>`: Stryker on the rules of `domain/` and the money rules of `db/`. A file of `domain/`
 * runs all tests of test/domain; a file of `db/` runs the tests below test/db that import it, on one PostgreSQL.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { readReach } from '../../tools/test/reach.ts';
import globalSetup from '../support/global-setup.ts';
import globalTeardown from '../support/global-teardown.ts';

const STRYKER = '@stryker-mutator/core@10.1.1';
const NO_SETUP = '$PWD/test/mutations/no-setup.ts';
const HELP = `Usage: npm run mutations -- <file …>

Runs Stryker on files of domain/ or db/, and prints the mutants that no test kills. A file of db/ needs a test below
test/db that imports it; a mutant then takes as long as these tests.`;

const files = process.argv.slice(2);
if (files.length === 0 || files.includes('--help')) {
  console.log(HELP);
  process.exit(files.length === 0 ? 1 : 0);
}
const tests = files.every((file) => file.startsWith('domain/')) ? ['test/domain/'] : importingTests();
const config = {
  testRunner: 'command',
  commandRunner: {
    command: `node --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js --selectProjects tests --runInBand --bail --globalSetup=${NO_SETUP} --globalTeardown=${NO_SETUP} ${tests.join(' ')}`,
  },
  mutate: files,
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'off',
  reporters: ['clear-text', 'progress-append-only'],
  concurrency: 2,
  timeoutMS: 120_000,
  tsconfigFile: 'none',
  tempDirName: '.local/stryker',
  ignorePatterns: ['.git', '.local', 'dist', 'docs'],
};
const configFile = join(PROJECT_DIR, '.local/stryker.json');
mkdirSync(join(PROJECT_DIR, '.local'), { recursive: true });
writeFileSync(configFile, JSON.stringify(config));
await globalSetup();
const stryker = spawn('npx', ['--yes', STRYKER, 'run', configFile], { stdio: 'inherit', cwd: PROJECT_DIR });
const [code] = await once(stryker, 'exit');
await globalTeardown();
process.exit(code ?? 1);

function importingTests(): readonly string[] {
  const { tests } = readReach(PROJECT_DIR);
  const importing = tests.filter(
    (test) => test.startsWith('test/db/') && files.some((file) => imports(test, file)),
  );
  if (importing.length > 0) return importing;
  console.error(`No test below test/db imports ${files.join(' or ')}.`);
  process.exit(1);
}

function imports(test: string, file: string): boolean {
  return readFileSync(join(PROJECT_DIR, test), 'utf8').includes(`/${file}'`);
}
