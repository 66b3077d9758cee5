/**
 * Finds the test files that depend on a file. Dependencies are imports, files and folders of the project that a string
 * names (programs are started by path), and the paths that the first comment declares after `@reads`. Imports
 * of types do not count: the compiler checks those.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const CODE = /\.(ts|js|mjs|cjs|sh)$/;
const TEST = /^test\/.*\.test\.ts$/;
const TYPES_ONLY = /^(import|export) type [^;]*;$/gm;
const STRING = /(['"`])([\w@./-]+)\1/g;
const READS = /@reads (.+)$/gm;
const NEEDS = /@needs ([\w-]+)/g;

export interface Reach {
  /** Every test file, sorted. */
  readonly tests: readonly string[];
  /** The test files that depend on any of these. */
  testsOf(files: readonly string[]): readonly string[];
  /** The test files that declare `@needs <name>`, or depend on a file that does. */
  testsThatNeed(name: string): readonly string[];
}

type Graph = Map<string, string[]>;

export function readReach(project: string): Reach {
  const files = filesOf(project);
  const all = { files, known: new Set(files) };
  const users: Graph = new Map();
  const readers: Graph = new Map();
  const needing: Graph = new Map();
  for (const file of files.filter((name) => CODE.test(name))) {
    const text = readFileSync(join(project, file), 'utf8');
    for (const used of named(file, text, all)) add(users, used, file);
    for (const read of wordsAfter(READS, text).flatMap((path) => below(path, all))) add(readers, read, file);
    if (!file.startsWith('test/')) continue;
    for (const name of wordsAfter(NEEDS, text)) add(needing, name, file);
  }
  const tests = files.filter((file) => TEST.test(file)).sort();
  const reached = (from: readonly string[], graphs: readonly Graph[]) => {
    const seen = new Set(from);
    for (const file of seen) {
      for (const user of graphs.flatMap((graph) => graph.get(file) ?? [])) seen.add(user);
    }
    return tests.filter((test) => seen.has(test));
  };
  return {
    tests,
    testsOf: (changed) => reached(changed, [users, readers]),
    testsThatNeed: (name) => reached(needing.get(name) ?? [], [users]),
  };
}

interface Files {
  readonly files: readonly string[];
  readonly known: ReadonlySet<string>;
}

function named(file: string, text: string, all: Files): ReadonlySet<string> {
  const paths = [...text.replace(TYPES_ONLY, '').matchAll(STRING)].map(([, , path = '']) => path);
  const found = paths.flatMap((path) => {
    const beside = join(dirname(file), path).replace(/\/$/, '');
    const one = [beside, normalize(path)].find((name) => all.known.has(name));
    if (one) return one;
    // A sibling folder counts, the file's own folder does not.
    return path.startsWith('.') && beside !== '.' && !file.startsWith(`${beside}/`) ? below(beside, all) : [];
  });
  return new Set(found.filter((name) => name !== file));
}

function below(path: string, { files, known }: Files): readonly string[] {
  if (known.has(path)) return [path];
  return path === '.' ? files : files.filter((name) => name.startsWith(`${path}/`));
}

function wordsAfter(tag: RegExp, text: string): readonly string[] {
  return [...text.matchAll(tag)].flatMap(([, words = '']) => words.replace('*/', '').trim().split(/\s+/));
}

function add(graph: Graph, key: string, file: string): void {
  graph.set(key, [...(graph.get(key) ?? []), file]);
}

/** Tracked files and new ones. */
function filesOf(project: string): readonly string[] {
  const args = ['ls-files', '-co', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: project, encoding: 'utf8' });
  return listed.split('\n').filter((file) => file !== '' && existsSync(join(project, file)));
}
