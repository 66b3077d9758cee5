import { describe, expect, test } from '@jest/globals';
import { anchors, codeLines, codeSpans, documents, files, inFolderOf, links, read } from './documents.ts';

const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
const folders = new Set(
  files.flatMap((path) =>
    path
      .split('/')
      .slice(0, -1)
      .map((_, i, all) => all.slice(0, i + 1).join('/')),
  ),
);
const known = new Set([...files, ...folders]);
const topLevel = new Set(files.map((path) => path.split('/')[0]));
const baseNames = new Set(files.map((path) => path.split('/').at(-1)));

/** Paths that commands generate or operators write, so a fresh clone does not have them. */
const MADE = /^(\.local|dist|node_modules|coverage|docker-compose\.override\.yml|deploy\/\.env)(\/|$)/;
const A_FILE = /^[\w.@-]+\.(ts|mjs|cjs|sql|sh|md|yml|yaml|json|css)$/;

/** Expands braces: `workflows/{checkout,sweep}.ts` names two files. */
function expand(path: string): string[] {
  const [, before = '', choices = '', after = ''] = /^(.*?)\{([^}]+)\}(.*)$/.exec(path) ?? [];
  return choices ? choices.split(',').flatMap((choice) => expand(before + choice + after)) : [path];
}

/** Whether `text` names a file or folder that does not exist. */
function isMissing(document: string, text: string): boolean {
  const path = text.replace(/\/$/, '').replace(/:\d+$/, '');
  if (MADE.test(path) || /[\s<>…*=$]/.test(path)) return false;
  const isPath = path.includes('/') && topLevel.has(path.split('/')[0]);
  if (isPath) return !known.has(path) && !known.has(inFolderOf(document, path));
  return A_FILE.test(path) && !baseNames.has(path);
}

test('the project’s documents are found', () => {
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md']));
});

describe.each(documents)('%s', (document) => {
  test('names only files and folders that exist', () => {
    const missing = codeSpans(document).filter(({ text }) =>
      expand(text).some((path) => isMissing(document, path)),
    );
    expect(missing).toEqual([]);
  });

  test('runs only existing programs in its commands', () => {
    const commands = [...codeLines(document), ...codeSpans(document)].flatMap(({ text }) =>
      [...text.matchAll(/(?:^|\s)(?:node |sh |\.\/)([\w./-]+\.(?:ts|mjs|sh))/g)].map(
        ([, program = '']) => program,
      ),
    );
    expect(commands.filter((program) => !known.has(program.replace(/^\.\//, '')))).toEqual([]);
  });

  test('names only npm scripts of package.json', () => {
    const named = [...codeLines(document), ...codeSpans(document)].flatMap(({ text }) => [
      ...[...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, script = '']) => script),
      ...[...text.matchAll(/npm (start|test)\b/g)].map(([, script = '']) => script),
    ]);
    expect(named.filter((script) => !scripts.includes(script))).toEqual([]);
  });

  test('has no broken links', () => {
    const broken = links(document).filter(({ text }) => {
      if (/^https:\/\//.test(text)) return false;
      const [path = '', anchor] = text.split('#');
      const target = path ? inFolderOf(document, path).replace(/\/$/, '') : document;
      if (!known.has(target)) return true;
      return anchor !== undefined && !anchors(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});
