/** `npm run bench -- <name>`: runs one of this folder's benchmarks. */
import { readdir } from 'node:fs/promises';

const names = (await readdir(import.meta.dirname, { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const [name = ''] = process.argv.slice(2);
if (names.includes(name)) {
  await import(`./${name}/main.ts`);
} else {
  const usage = `Usage: npm run bench -- <name> [--help]\nBenchmarks: ${names.join(', ')}.`;
  if (name === '--help') console.log(usage);
  else console.error(usage);
  process.exitCode = name === '--help' ? 0 : 1;
}
