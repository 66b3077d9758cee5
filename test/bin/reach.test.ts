/** What `npm test -- --changed` runs: the test files that a change can reach. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readChanged } from '../../bin/test/changed.ts';
import { readReach } from '../../bin/test/reach.ts';

/** Assembled here, or they would apply to this file. */
const tag = (name: string, words: string) => `/**\n * Something.\n * ${['@', name].join('')} ${words}\n */\n`;

const FILES: Readonly<Record<string, string>> = {
  'domain/money.ts': 'export const cents = 1; export type Cents = number;',
  'db/rows.ts': `import { cents } from '../domain/money.ts'; export const rows = [cents];`,
  'db/migrations/0001.sql': 'select 1',
  'bin/api.ts': `import { rows } from '../db/rows.ts'; console.log(rows);`,
  'docs/people.md': '# API',
  'test/support/stack.ts': `export const program = ['bin', 'api.ts'].join('/'); export const script = 'bin/api.ts';`,
  'test/support/paper.ts': `${tag('needs', 'poppler')}export const text = 1;`,
  'test/domain/money.test.ts': `import { cents } from '../../domain/money.ts'; cents;`,
  'test/domain/types.test.ts': `import type {\n  Cents,\n} from '../../domain/money.ts';\nexport type Price = Cents;`,
  'test/e2e/buy.test.ts': `import { script } from '../support/stack.ts'; script;`,
  'test/db/migrations.test.ts': `new URL('../../db/migrations/', import.meta.url);`,
  'test/docs/links.test.ts': `${tag('reads', 'docs README.md')}export {};`,
  'test/api/invoice.test.ts': `import { text } from '../support/paper.ts'; text;`,
};

let project: string;
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: project, stdio: 'pipe' });

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(project, path)), { recursive: true });
  await writeFile(join(project, path), text);
}

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'reach-'));
  for (const [path, text] of Object.entries(FILES)) await write(path, text);
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.eu', 'commit', '--quiet', '--message', 'Begin');
});
afterAll(() => rm(project, { recursive: true, force: true }));

test.each([
  ['an import', 'domain/money.ts', ['test/domain/money.test.ts', 'test/e2e/buy.test.ts']],
  ['a program that is started by its path', 'bin/api.ts', ['test/e2e/buy.test.ts']],
  ['a folder that is named', 'db/migrations/0001.sql', ['test/db/migrations.test.ts']],
  ['a folder that is said to be read', 'docs/people.md', ['test/docs/links.test.ts']],
  ['nothing', 'README.md', []],
])('%s reaches from %s to its tests', (_how, file, tests) => {
  expect(readReach(project).testsOf([file])).toEqual(tests);
});

test('tests need what their helpers need', () => {
  expect(readReach(project).testsThatNeed('poppler')).toEqual(['test/api/invoice.test.ts']);
});

test('a change is what differs from the commit, new files included', async () => {
  expect(readChanged(project, 'HEAD', readReach(project))).toEqual({ files: [], tests: [] });
  await write('bin/api.ts', 'console.log(2);');
  await write('test/new.test.ts', 'export {};');
  const { files, tests } = readChanged(project, 'HEAD', readReach(project));
  expect(files).toEqual(['bin/api.ts', 'test/new.test.ts']);
  expect(tests).toEqual(['test/e2e/buy.test.ts', 'test/new.test.ts']);
  await write('package.json', '{}');
  expect(readChanged(project, 'HEAD', readReach(project)).tests).toHaveLength(7);
});
