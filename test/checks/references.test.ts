import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

const run = promisify(execFile);

/** Citations are assembled at run time; otherwise the check would find them in this file. */
const cite = (numbers: string) => `// (rule${numbers.includes(' ') ? 's' : ''} ${numbers})`;
const doc = (name: string) => ['docs', name].join('/');

/** A project whose references all resolve. */
const SOUND: Readonly<Record<string, string>> = {
  'README.md': `[law](${doc('rules.md')}), [12](${doc('rules.md#12-claims-are-short')}), [here](#there)\n# There\n`,
  'docs/rules.md': [
    '# Rules',
    '## 3. Marks',
    '- Held in: `db/mark.ts`',
    '- Test: `test/mark.test.ts` "keeps the mark"',
    '## 12. Claims are short!',
    '- Held in: `db/mark.ts`, `db/claim.sql`',
    '- Test: `test/mark.test.ts` "one of ten"',
  ].join('\n'),
  [doc('terms.md')]:
    '# Terms\n## Order of checks\n```\n# no heading\n[no link](nowhere.md)\n```\n`[code](nowhere.md)`\n',
  'db/mark.ts': `${cite('3 and 12')}\n// See ${doc('terms.md#order-of-checks')}.\n`,
  'db/claim.sql': `-- As db/mark.ts and mark.ts; other/place.ts is elsewhere. ${doc('')}\n`,
  // A released migration never changes, so it may name paths that no longer exist.
  'db/migrations/0001_marks.sql': '-- As db/renamed-since.ts.\n',
  'test/mark.test.ts': `it('keeps the mark until the end', () => {});\nit("lets one of ten win", () => {});\n`,
};

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'references-'));
});
afterEach(() => rm(dir, { recursive: true }));

/** Writes the files and runs the check. @returns its problems */
async function problemsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(join(dir, dirname(file)), { recursive: true });
    await writeFile(join(dir, file), text);
  }
  const program = join(PROJECT_DIR, 'tools/check-references.ts');
  return run(process.execPath, [program, dir]).then(
    () => [],
    ({ stderr }: { stderr: string }) => stderr.trim().split('\n'),
  );
}

test('a project whose references resolve passes', async () => {
  expect(await problemsOf(SOUND)).toEqual([]);
});

test.each([
  ['a cited rule that docs/rules.md does not have', 'db/mark.ts', cite('3, 4 and 12'), 1, 'no rule 4'],
  [
    'a cited heading that does not exist',
    'db/mark.ts',
    `\n// (${doc('terms.md#order')})`,
    2,
    'no heading for #order',
  ],
  ['a heading inside a code block', 'db/mark.ts', `// ${doc('terms.md#no-heading')}`, 1, 'no heading'],
  ['a cited document that does not exist', 'db/mark.ts', `// ${doc('nothing.md')}`, 1, 'does not exist'],
  [
    'a document without its extension',
    'db/mark.ts',
    `// See ${doc('rules')}.`,
    1,
    'docs/rules does not exist',
  ],
  [
    'a file in a comment that does not exist',
    'db/claim.sql',
    `-- ${['db', 'gone.ts'].join('/')}`,
    1,
    'gone.ts does not',
  ],
  [
    'a citation of a document without its path',
    'db/mark.ts',
    `// (${'decisions'}: Events)`,
    1,
    'names no text',
  ],
  [
    'a link to a file that does not exist',
    'README.md',
    `\n\n[x](${doc('none.md')})`,
    3,
    'none.md does not exist',
  ],
  [
    'a link to a heading that does not exist',
    doc('more.md'),
    '[x](rules.md#4-none)',
    1,
    'no heading for #4-none',
  ],
])('%s is reported with file and line', async (_what, file, text, line, problem) => {
  const problems = await problemsOf({ ...SOUND, [file]: text });
  expect(problems).toEqual([expect.stringContaining(problem)]);
  expect(problems[0]).toContain(`${file}:${line}: `);
});

test.each([
  ['without a file', '- Held in: `db/mark.ts`\n', '', 2, 'names no file'],
  ['without a test', '- Test: `test/mark.test.ts` "keeps the mark"', '', 2, 'names no test'],
  ['with a file that does not exist', '`db/mark.ts`', '`db/gone.ts`', 3, 'db/gone.ts does not exist'],
  ['with a test file that does not exist', 'test/mark.test.ts', 'test/gone.test.ts', 4, 'is not a test file'],
  ['with a test that does not exist', 'keeps the mark', 'keeps the time', 4, 'has no test named'],
  ['with a test name without quotation marks', '"keeps the mark"', 'keeps the mark', 4, 'a test is given as'],
  ['without a number', '## 3. Marks', '## Marks', 2, 'begins with its number'],
  ['out of order', '## 3. Marks', '## 13. Marks', 5, 'after a higher number'],
])('a rule %s is reported with its line', async (_what, from, to, line, problem) => {
  const rules = SOUND['docs/rules.md']?.replace(from, to) ?? '';
  const found = await problemsOf({ ...SOUND, 'docs/rules.md': rules });
  expect(found.some((each) => each.startsWith(`docs/rules.md:${line}: `) && each.includes(problem))).toBe(
    true,
  );
});
