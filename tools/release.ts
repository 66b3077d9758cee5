/** `npm run release`: turns the collected changesets into the next version, in every file that shows it. */
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changesets } from './release/changesets.ts';
import { VERSIONED, withDate, withVersion } from './release/versions.ts';

const dir = process.cwd();
const versionNow = async () =>
  JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')).version as string;
const change = async (file: string, changed: (text: string) => string) => {
  const path = join(dir, file);
  await writeFile(path, changed(await readFile(path, 'utf8')));
};

const pending = (await readdir(join(dir, '.changeset'))).filter((name) => name.endsWith('.md'));
if (pending.length === 0) {
  console.error('There is no changeset since the last release: `npm run changeset` writes one.');
  process.exitCode = 1;
} else {
  await changesets(['version'], dir);
  const version = await versionNow();
  for (const file of VERSIONED) await change(file, (text) => withVersion(file, text, version));
  await change('CHANGELOG.md', (text) => withDate(text, version, new Date().toISOString().slice(0, 10)));
  await copyFile(join(dir, 'docs/openapi.json'), join(dir, `docs/openapi-${version}.json`));
  console.error(`${version} is prepared: "A release" in CONTRIBUTING.md has the next steps.`);
}
