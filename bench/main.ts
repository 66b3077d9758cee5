/** `npm run bench -- <name>`: runs one of the measurements in this folder. */
import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';

const { positionals } = parseArgs({ allowPositionals: true, strict: false });
const names = (await readdir(import.meta.dirname, { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const [name = ''] = positionals;
if (names.includes(name)) {
  await import(`./${name}/main.ts`);
} else {
  console.error(`Usage: npm run bench -- <name>\nThere are: ${names.join(', ')}.`);
  process.exitCode = 1;
}
