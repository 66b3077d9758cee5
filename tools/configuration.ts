/**
 * `npm run configuration`: writes docs/configuration.md from the variables that the service reads, and docs/settings.md
 * from a merchant's settings.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { configurationDocument } from '../bin/config/document.ts';
import { settingsDocument } from './settings-document.ts';

const DOCUMENTS = {
  'docs/configuration.md': configurationDocument(),
  'docs/settings.md': settingsDocument(),
};

for (const [name, document] of Object.entries(DOCUMENTS)) {
  const file = new URL(`../${name}`, import.meta.url);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, document);
  } else if (readFileSync(file, 'utf8') !== document) {
    console.error(`${name} does not match its source: run npm run configuration`);
    process.exitCode = 1;
  }
}
