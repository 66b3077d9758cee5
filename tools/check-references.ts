/**
 * `npm run check:references`: every reference to the project's own files resolves. Fails with file and line
 * for a cited rule that docs/rules.md lacks, a rule without an existing file or test, a missing heading or
 * file, a path in a comment that leads nowhere, and a citation in an unknown form. Pass a directory to check
 * another tree.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';

const ROOT = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const RULES = 'docs/rules.md';
/** Migrations never change after a release, so their comments may name paths that no longer exist. */
const MIGRATIONS = 'db/migrations/';
/** Installed or generated. */
const SKIPPED = new Set([
  'node_modules',
  '.git',
  '.local',
  'dist',
  'coverage',
  'histories',
  'package-lock.json',
]);
const TEXT = /\.(ts|tsx|mts|mjs|cjs|js|jsx|jsonc|sql|md|css|html|sh|yml|yaml)$/;
const COMMENT = /^\s*(?:\/\/|\/?\*|--|#)/;
/** Matches a file's path, or anything in docs/, in a comment. */
const PATH =
  /(?<![\w/.@{}-])(?:docs\/[\w/-]*\w(?![\w<*{…-]|\.\w)|\w+\/(?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|sql|sh|yaml)\b)/g;

const files = new Set(filesIn(''));
const folders = new Set([...files].flatMap((file) => (file.includes('/') ? file.split('/')[0] : [])));
const problems: string[] = [];

const rules = readRules();
for (const file of files) if (TEXT.test(file)) checkFile(file);
// Deduplicated, because a cited path may also be a link.
for (const problem of new Set(problems)) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.has(name))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    });
}

function linesOf(file: string): string[] {
  return readFileSync(join(ROOT, file), 'utf8').split('\n');
}

function checkFile(file: string): void {
  const report = (index: number, problem: string) => problems.push(`${file}:${index + 1}: ${problem}`);
  linesOf(file).forEach((line, index) => {
    for (const number of citedRules(line)) {
      if (rules.has(number)) continue;
      report(
        index,
        `there is no rule ${number} in ${RULES}; add it with the files that hold it and its test`,
      );
    }
    for (const [, path = '', anchor] of line.matchAll(/\b(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g)) {
      const problem = problemOfTarget(path, anchor);
      if (problem) report(index, problem);
    }
    if (!file.endsWith('.md') && !file.startsWith(MIGRATIONS) && COMMENT.test(line))
      for (const path of missingPaths(file, line)) report(index, `${path} does not exist`);
    const nowhere = /money-safety[ ]rule|\((?:decisions|contract): /i.exec(line);
    if (nowhere)
      report(index, `"${nowhere[0]}" names no text: cite a rule's number or a heading of docs/contract.md`);
  });
  if (file.endsWith('.md')) checkLinks(file, report);
}

/**
 * Paths from the root or from the file's own folder; their first folder distinguishes them from other projects' paths.
 */
function missingPaths(file: string, comment: string): readonly string[] {
  const named = [...comment.matchAll(PATH)].map(([path]) => path);
  return named.filter(
    (path) =>
      folders.has(path.split('/')[0] ?? '') &&
      problemOfTarget(path, undefined) !== null &&
      problemOfTarget(posix.join(posix.dirname(file), path), undefined) !== null,
  );
}

/** "rule 3", "rules 3 and 4", "rules 1, 2, 5 and 6". */
function citedRules(line: string): number[] {
  const citations = line.matchAll(/\brules? (\d+(?:(?:, | and |, and )\d+)*)/gi);
  return [...citations].flatMap(([, numbers = '']) => numbers.match(/\d+/g)?.map(Number) ?? []);
}

function checkLinks(file: string, report: (index: number, problem: string) => void): void {
  withoutFences(linesOf(file)).forEach((line, index) => {
    const prose = line.replace(/`[^`]*`/g, '');
    for (const [, target = ''] of prose.matchAll(/(?:\]\(|<img src=")([^)"\s]+)[)"]/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const problem = problemOfTarget(path ? posix.join(posix.dirname(file), path) : file, anchor);
      if (problem) report(index, problem);
    }
  });
}

function problemOfTarget(path: string, anchor: string | undefined): string | null {
  const name = path.replace(/\/$/, '');
  const exists = files.has(name) || [...files].some((file) => file.startsWith(`${name}/`));
  if (!exists) return `${path} does not exist`;
  if (anchor === undefined || anchorsOf(name).has(anchor)) return null;
  return `${path} has no heading for #${anchor}`;
}

/** The ids that a Markdown renderer gives to the headings of a document. */
function anchorsOf(file: string): ReadonlySet<string> {
  const headings = withoutFences(linesOf(file)).flatMap((line) => /^#+ +(.+)$/.exec(line)?.[1] ?? []);
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
  return new Set(headings.map(slug));
}

/** Blanks the lines of fenced blocks, so that indices remain those of the file. */
function withoutFences(lines: readonly string[]): string[] {
  let fenced = false;
  return lines.map((line) => {
    const fence = line.startsWith('```');
    if (fence) fenced = !fenced;
    return fence || fenced ? '' : line;
  });
}

/** The rule numbers in docs/rules.md; reports rules without an existing file or test. */
function readRules(): ReadonlySet<number> {
  const numbers = new Set<number>();
  const lines = files.has(RULES) ? linesOf(RULES) : [];
  const headings = lines.flatMap((line, index) => (line.startsWith('## ') ? [index] : []));
  headings.forEach((start, i) => {
    const number = Number(/^## (\d+)\. \S/.exec(lines[start] ?? '')?.[1]);
    const report = (problem: string) => problems.push(`${RULES}:${start + 1}: ${problem}`);
    if (!number) report('the heading of a rule begins with its number and a dot');
    if (numbers.has(number)) report(`rule ${number} occurs twice`);
    if (number < Math.max(0, ...numbers)) report(`rule ${number} comes after a higher number`);
    numbers.add(number);
    const section = lines.slice(start + 1, headings[i + 1]);
    if (!section.some((line) => line.startsWith('- Held in: '))) report(`rule ${number} names no file`);
    if (!section.some((line) => line.startsWith('- Test: '))) report(`rule ${number} names no test`);
    section.forEach((line, offset) => {
      const problem = problemOfEntry(line);
      if (problem) problems.push(`${RULES}:${start + 2 + offset}: ${problem}`);
    });
  });
  return numbers;
}

/** Checks "- Held in: `file`, `file`" and "- Test: `file` "part of its name"". */
function problemOfEntry(line: string): string | null {
  if (line.startsWith('- Held in: ')) {
    const held = [...line.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    const missing = held.find((path) => !files.has(path));
    if (missing) return `${missing} does not exist`;
    return held.length > 0 ? null : 'no file in backticks';
  }
  if (!line.startsWith('- Test: ')) return null;
  const [, path = '', part = ''] = /^- Test: `([^`]+)` "([^"]+)"$/.exec(line) ?? [];
  if (!part) return 'a test is given as `its file` "a part of its name"';
  if (!path.startsWith('test/') || !files.has(path)) return `${path} is not a test file`;
  const named = linesOf(path).some((text) => text.includes(part) && !/^\s*(\/\/|\/?\*)/.test(text));
  return named ? null : `${path} has no test named "${part}"`;
}
