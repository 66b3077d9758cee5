/**
 * Loaded with `--import` into a test run: changes one place of each named file as it is loaded, not on disk. The
 * environment variable MUTANTS names the places.
 */
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

interface Mutant {
  readonly url: string;
  readonly find: string;
  readonly replace: string;
}
const mutants = JSON.parse(process.env.MUTANTS ?? '[]') as readonly Mutant[];

registerHooks({
  load(loaded, context, next) {
    const module = next(loaded, context);
    if (!mutants.some(({ url }) => url === loaded) || module.source == null) return module;
    const source =
      typeof module.source === 'string' ? module.source : new TextDecoder().decode(module.source);
    return { ...module, source: mutated(loaded, source) };
  },
});

// Workflows are bundled, not loaded: changes what the bundler reads, and so the hash that names the bundle.
const urlOf = new Map(mutants.map(({ url }) => [fileURLToPath(url), url]));
const { readFile, readFileSync } = fs;
type Callback = (error: NodeJS.ErrnoException | null, data?: Buffer | string) => void;

function readMutated(file: unknown, ...rest: unknown[]): void {
  const done = rest.pop() as Callback;
  const ours: Callback = (error, data) => done(error, data === undefined ? data : mutatedFile(file, data));
  Reflect.apply(readFile, fs, [file, ...rest, ours]);
}

function mutatedFile<Data extends Buffer | string>(file: unknown, data: Data): Data {
  const url = urlOf.get(file as string);
  if (url === undefined) return data;
  const text = mutated(url, data.toString());
  return (typeof data === 'string' ? text : Buffer.from(text)) as Data;
}

function mutated(loaded: string, source: string): string {
  return mutants
    .filter(({ url }) => url === loaded)
    .reduce((text, { find, replace }) => text.replace(find, () => replace), source);
}

Object.assign(fs, {
  readFile: readMutated,
  readFileSync: (...args: Parameters<typeof readFileSync>) => mutatedFile(args[0], readFileSync(...args)),
});
syncBuiltinESMExports();
