/** `npm run configuration`: writes docs/configuration.md from the variables that the service reads. */
import { readFileSync, writeFileSync } from 'node:fs';
import { configurationDocument } from '../bin/config/document.ts';

const FILE = new URL('../docs/configuration.md', import.meta.url);

const document = configurationDocument();
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, document);
} else if (readFileSync(FILE, 'utf8') !== document) {
  console.error('docs/configuration.md does not match bin/config: run npm run configuration');
  process.exitCode = 1;
}
