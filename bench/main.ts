/** `npm run bench -- <name>`: runs one of this folder's benchmarks. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const folders = await readdir(import.meta.dirname);
const names = folders.filter((folder) => existsSync(join(import.meta.dirname, folder, 'main.ts')));
const [name = ''] = process.argv.slice(2);
if (names.includes(name)) {
  await import(`./${name}/main.ts`);
} else {
  const usage = `Usage: npm run bench -- <name> [--help]\nBenchmarks: ${names.join(', ')}.`;
  if (name === '--help') console.log(usage);
  else console.error(usage);
  process.exitCode = name === '--help' ? 0 : 1;
}
