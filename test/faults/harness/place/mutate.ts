/**
 * Loaded with `--import` into a test run: changes one place of one file as it is loaded, and no file on disk. The
 * environment variable MUTANT names the mutant.
 */
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

const {
  url = '',
  find = '',
  replace = '',
} = JSON.parse(process.env.MUTANT ?? '{}') as Partial<Readonly<Record<string, string>>>;

registerHooks({
  load(loaded, context, next) {
    const module = next(loaded, context);
    if (loaded !== url || module.source == null) return module;
    const source =
      typeof module.source === 'string' ? module.source : new TextDecoder().decode(module.source);
    return { ...module, source: mutated(source) };
  },
});

// Workflows are not loaded but bundled: from what the bundler reads, under the hash of what names the bundle.
const path = url.startsWith('file:') ? fileURLToPath(url) : null;
const { readFile, readFileSync } = fs;
type Callback = (error: NodeJS.ErrnoException | null, data?: Buffer | string) => void;

function readMutated(file: unknown, ...rest: unknown[]): void {
  const done = rest.pop() as Callback;
  const ours: Callback = (error, data) => done(error, data === undefined ? data : mutatedFile(file, data));
  Reflect.apply(readFile, fs, [file, ...rest, ours]);
}

function mutatedFile<Data extends Buffer | string>(file: unknown, data: Data): Data {
  if (file !== path) return data;
  const text = mutated(data.toString());
  return (typeof data === 'string' ? text : Buffer.from(text)) as Data;
}

function mutated(source: string): string {
  return source.replace(find, () => replace);
}

Object.assign(fs, {
  readFile: readMutated,
  readFileSync: (...args: Parameters<typeof readFileSync>) => mutatedFile(args[0], readFileSync(...args)),
});
syncBuiltinESMExports();
