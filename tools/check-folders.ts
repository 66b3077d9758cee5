/**
 * `npm run check:folders`: fails when the imports of sibling folders, or of a folder and its parent's own files, form a
 * cycle (type imports count), or when a folder has more than 25 files of code. Pass a directory to check another tree.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';

const ROOT = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const CODE = /\.(ts|tsx|mjs)$/;
const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;
/** Allowed for types only (`npm run check:imports`): workflows name the activities that they call. */
const ALLOWED = 'workflows -> activities';
/** Its folders are separate layers: `db/` is above `platform/observability/` and below `platform/temporal/`. */
const OF_LAYERS = /^platform\//;
const MAX_FILES = 25;

const files = new Set(
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => CODE.test(file) && existsSync(join(ROOT, file))),
);
/** Imports by folder, then from one child to another, each with one import as an example. */
const arrows = new Map<string, Map<string, Map<string, string>>>();
for (const file of files) for (const used of importsOf(file)) addArrows(file, used);
const back = [...arrows].flatMap(([folder, inside]) => arrowsBack(folder, inside));
const faults = [...back, ...longFolders()];
for (const line of faults) console.error(line);
process.exitCode = faults.length > 0 ? 1 : 0;

function longFolders(): readonly string[] {
  const folders = Map.groupBy(files, (file) => posix.dirname(file));
  return [...folders]
    .filter(([, { length }]) => length > MAX_FILES)
    .map(([folder, { length }]) => `${folder} has ${length} files, more than ${MAX_FILES}.`);
}

function importsOf(file: string): string[] {
  const found = readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT);
  return [...found]
    .map(([, path = '']) => posix.join(posix.dirname(file), path))
    .filter((path) => files.has(path));
}

/** Adds an arrow in the deepest folder that contains both files. */
function addArrows(from: string, to: string): void {
  const [a, b] = [from, to].map((path) => path.replace(OF_LAYERS, 'platform:').split('/')) as [
    string[],
    string[],
  ];
  const depth = a.findIndex((name, index) => name !== b[index]);
  const child = (path: readonly string[]) =>
    path.length === depth + 1 ? 'its own files' : (path[depth] ?? '');
  const folder = a.slice(0, depth).join('/');
  if (child(a) === child(b) || `${child(a)} -> ${child(b)}` === ALLOWED) return;
  const inside = getOrAdd(arrows, folder);
  const of = getOrAdd(inside, child(a));
  if (!of.has(child(b))) of.set(child(b), `${from} imports ${to}`);
}

function arrowsBack(folder: string, inside: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const reached = (from: string) => {
    const seen = new Set<string>([from]);
    for (const child of seen) for (const next of inside.get(child)?.keys() ?? []) seen.add(next);
    return seen;
  };
  return [...inside].flatMap(([child, used]) =>
    [...used]
      .filter(([other]) => reached(other).has(child))
      .map(
        ([other, example]) => `${folder || '../bin'}: ${child} and ${other} import each other: ${example}`,
      ),
  );
}

function getOrAdd<Value>(map: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const known = map.get(key) ?? new Map<string, Value>();
  map.set(key, known);
  return known;
}
