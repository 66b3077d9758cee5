/**
 * `npm run lines`: the lines of code that production runs, by folder: every `*.ts` and `*.tsx` that the
 * programs of API, worker, migration and operators reach by imports, types included, and the scripts of the
 * hosted page. `--json` prints the same as data, `--files` each file. `--words` prints the words of the documents;
 * `--path` counts the path from a click to its webhook, and writes the counts into its table in docs/architecture.md.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_DIR } from '../sandbox/stack/core/directories.ts';

const PROGRAMS = [
  'bin/api.ts',
  'bin/worker.ts',
  'bin/migrate.ts',
  'bin/ops.ts',
  'bin/prepare-temporal.ts',
  'workflows/index.ts',
  'page/browser/main.ts',
];
const HELP = `Usage: npm run lines [-- --json | --files | --words | --path]

Counts the lines of what production runs: what the programs of API, worker, migration and operators reach by imports.
--words counts the words of all documents but the changelog, without the bars and rules of tables.
--path counts the files that docs/architecture.md lists from a click to its webhook, and writes their lines there.`;
/** A relative path that names a file: an import, a dynamic import, or a program or bundle named by its path. */
const IMPORTED = /['"](\.{1,2}\/[\w./-]+\.tsx?)['"]/g;

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(HELP);
  process.exit();
}
if (args.includes('--words')) {
  console.log(wordsOfDocuments());
  process.exit();
}
if (args.includes('--path')) {
  console.log(countPath(join(PROJECT_DIR, 'docs/architecture.md')));
  process.exit();
}

const lines = new Map<string, number>();
const waiting = [...PROGRAMS];
for (const file of waiting) {
  if (lines.has(file) || !existsSync(join(PROJECT_DIR, file))) continue;
  const text = readFileSync(join(PROJECT_DIR, file), 'utf8');
  lines.set(file, linesOf(text));
  for (const [, path = ''] of text.matchAll(IMPORTED)) waiting.push(join(dirname(file), path));
}

const total = [...lines.values()].reduce((sum, count) => sum + count, 0);
const folders = new Map<string, number>();
for (const [file, count] of lines) {
  const folder = file.split('/')[0] ?? file;
  folders.set(folder, (folders.get(folder) ?? 0) + count);
}
if (args.includes('--json')) {
  console.log(JSON.stringify({ total, files: lines.size, folders: Object.fromEntries(folders) }));
} else {
  const shown = args.includes('--files') ? lines : folders;
  for (const [name, count] of [...shown].sort(([a], [b]) => a.localeCompare(b))) {
    console.log(`${String(count).padStart(7)}  ${name}`);
  }
  console.log(`${String(total).padStart(7)}  in ${lines.size} files`);
}

function wordsOfDocuments(): number {
  const listed = execFileSync('git', ['ls-files', '*.md', ':!CHANGELOG.md'], {
    cwd: PROJECT_DIR,
    encoding: 'utf8',
  });
  const texts = listed
    .trim()
    .split('\n')
    .map((file) => readFileSync(join(PROJECT_DIR, file), 'utf8'));
  return texts.flatMap((text) => text.split(/\s+/)).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

/** Writes each listed file's lines into its row, and the sums into the sentence above the table. */
function countPath(document: string): string {
  let files = 0;
  let sum = 0;
  const counted = readFileSync(document, 'utf8').replace(/^\| `(\S+)` \| \d+ \|/gm, (_, file: string) => {
    const count = linesOf(readFileSync(join(PROJECT_DIR, file), 'utf8'));
    files += 1;
    sum += count;
    return `| \`${file}\` | ${count} |`;
  });
  const total = `${files} files, ${sum.toLocaleString('en')} lines`;
  writeFileSync(document, counted.replace(/\d+ files, [\d,]+ lines/, total));
  return total;
}
