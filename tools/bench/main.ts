/** `npm run bench -- <name>`: runs one of this folder's benchmarks; without a name, lists them. */
import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const mainOf = (name: string) => join(import.meta.dirname, name, 'main.ts');
const folders = await readdir(import.meta.dirname);
const names = folders.filter((folder) => existsSync(mainOf(folder))).sort();
const [name = '--help'] = process.argv.slice(2);
if (names.includes(name)) {
  await import(`./${name}/main.ts`);
} else {
  const width = Math.max(...names.map((each) => each.length));
  const usage = [
    'Usage: npm run bench -- <name> [--help]',
    '',
    ...names.map((each) => `  ${each.padEnd(width)}  ${aboutOf(each)}`),
  ].join('\n');
  if (name === '--help') console.log(usage);
  else console.error(`There is no benchmark ${JSON.stringify(name)}.\n\n${usage}`);
  process.exitCode = name === '--help' ? 0 : 1;
}

/** The first sentence of the benchmark's own comment. */
function aboutOf(name: string): string {
  const [comment = ''] = readFileSync(mainOf(name), 'utf8').split('*/');
  const text = comment.replace(/\n \*/g, '').replace(/\s+/g, ' ');
  return /^\/\*\* `[^`]+`: (.*?)[.;] /.exec(text)?.[1] ?? '';
}
