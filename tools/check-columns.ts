/**
 * `npm run check:columns`: fails if a row schema in `db/` mixes snake_case columns and camelCase aliases, including
 * keys that it extends or spreads. Schemas of the API are in `contract/` and have the API's names. An argument names
 * another directory.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
/** `z.object({`, `known.extend({`, and `const spread = {`, up to the brace. */
const OBJECT = /(?:const (\w+) =\s*)?(?:z\s*\.object\(|(\w+)\s*\.extend\(|(?<==\s*))\{/g;

interface Schema {
  readonly file: string;
  readonly line: number;
  readonly name: string | undefined;
  readonly keys: readonly string[];
  /** Names of the schemas and objects whose keys it inherits. */
  readonly from: readonly string[];
}

const schemas = globSync('db/**/*.ts', { cwd: ROOT }).sort().flatMap(schemasOf);
for (const { file, line, keys, from } of schemas) {
  const all = [...keys, ...from.flatMap((name) => schemaNamed(name, file)?.keys ?? [])];
  const column = all.find((key) => /[a-z\d]_[a-z]/.test(key));
  const alias = all.find((key) => /[a-z][A-Z]/.test(key));
  if (!column || !alias) continue;
  console.error(
    `${file}:${line}: one row has ${column} and ${alias}: CONTRIBUTING.md says which spelling to use`,
  );
  process.exitCode = 1;
}

/** The schema in the same file, or the one imported from another. */
function schemaNamed(name: string, file: string): Schema | undefined {
  const all = schemas.filter((schema) => schema.name === name);
  return all.find((schema) => schema.file === file) ?? all[0];
}

function schemasOf(file: string): readonly Schema[] {
  const source = readFileSync(join(ROOT, file), 'utf8').replace(/\/\*.*?\*\/|\/\/.*?$/gms, blank);
  return [...source.matchAll(OBJECT)].flatMap(({ 0: opening, 1: name, 2: extended, index }) => {
    const members = membersAt(source, index + opening.length);
    // Other objects are not rows, unless a schema spreads them.
    if (!opening.includes('(') && !members.every((member) => /^\.\.\.|: z\b/.test(member))) return [];
    const spread = members.flatMap((member) => /^\.\.\.(\w+)/.exec(member)?.[1] ?? []);
    return {
      name,
      file,
      line: source.slice(0, index).split('\n').length,
      keys: members.flatMap((member) => /^\w+/.exec(member)?.[0] ?? []),
      from: extended ? [extended, ...spread] : spread,
    };
  });
}

function blank(comment: string): string {
  return comment.replace(/[^\n]/g, ' ');
}

/** The comma-separated members of the object whose opening brace is just before `start`. */
function membersAt(source: string, start: number): readonly string[] {
  let depth = 0;
  let members = '';
  for (let at = start; at < source.length && depth >= 0; at++) {
    const character = source[at] ?? '';
    if ('([{'.includes(character)) depth += 1;
    if (depth === 0) members += character;
    if (')]}'.includes(character)) depth -= 1;
  }
  return members
    .split(',')
    .map((member) => member.trim())
    .filter((member) => /\w/.test(member));
}
