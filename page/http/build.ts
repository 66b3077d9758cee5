/**
 * Bundles the page's script and style, and the scripts of the rails' card-field documents
 * (`rail/<rail>/browser/fields.ts`), into `dist/page`, with a content hash in each file name. `node page/http/build.ts`
 * builds ahead of time, for the production image; a development checkout builds when the output is missing or stale.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, hashOfSources, PROJECT, readManifest, writeWhole } from './bundle-output.ts';

const OUTPUT = join(PROJECT, 'dist', 'page');
const ENTRIES = { main: 'page/browser/main.ts', page: 'page/browser/page.css' } as const;
const FIELDS_OF_RAIL = /^rail\/([a-z]+)\/browser\/fields\.ts$/;
/** Folders that the bundle may import from. */
const SOURCES = ['page', 'domain', 'rail'];

export interface Manifest {
  /** Hash of the sources from which the output was built. */
  readonly sources: string;
  readonly script: string;
  readonly style: string;
  /** Field scripts by rail. */
  readonly fieldScripts: Readonly<Record<string, string>>;
}

/** Builds if the output is missing or stale. */
export async function ensureBuilt(): Promise<{ readonly directory: string; readonly manifest: Manifest }> {
  const sources = await hashOfSources(SOURCES);
  const built = await readManifest<Manifest>(OUTPUT);
  const manifest = built?.sources === sources ? built : await build(sources);
  return { directory: OUTPUT, manifest };
}

async function build(sources: string): Promise<Manifest> {
  const fieldEntries = await fieldScriptsOfRails();
  const result = await bundle({ entryPoints: { ...ENTRIES, ...fieldEntries }, outdir: OUTPUT });
  await mkdir(OUTPUT, { recursive: true });
  // Write the manifest last: it marks the rest as complete.
  const names = result.outputFiles.map(({ path }) => basename(path));
  const nameOf = (entry: string) => names.find((name) => name.startsWith(`${entry}-`)) ?? '';
  for (const { path, contents } of result.outputFiles) await writeWhole(path, contents);
  const fieldScripts = Object.fromEntries(
    Object.keys(fieldEntries).map((entry) => [entry.replace('-fields', ''), nameOf(entry)]),
  );
  const manifest = { sources, script: nameOf('main'), style: nameOf('page'), fieldScripts };
  await writeWhole(join(OUTPUT, 'manifest.json'), JSON.stringify(manifest));
  return manifest;
}

async function fieldScriptsOfRails(): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(join(PROJECT, 'rail'), { recursive: true });
  const matches = names.map((name) => FIELDS_OF_RAIL.exec(`rail/${name}`)).filter((match) => match !== null);
  return Object.fromEntries(matches.map(([path, rail]) => [`${rail}-fields`, path]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await rm(OUTPUT, { recursive: true, force: true });
  const { manifest } = await ensureBuilt();
  console.log(`dist/page: ${manifest.script}, ${manifest.style}`);
}
