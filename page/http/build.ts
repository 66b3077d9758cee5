/**
 * Bundles the page's script and style, and the scripts of the rails' card-field documents
 * (`rail/<rail>/browser/fields.ts`), into `dist/page`, with the content's hash in each name. `node page/http/build.ts`
 * builds ahead of time, as the production image does; a development checkout builds when the output is missing or
 * stale.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const OUTPUT = join(PROJECT, 'dist', 'page');
const ENTRIES = { main: 'page/browser/main.ts', page: 'page/browser/page.css' } as const;
const FIELDS_OF_RAIL = /^rail\/([a-z]+)\/browser\/fields\.ts$/;
/** Folders that the bundle may import from. */
const SOURCES = ['page', 'domain', 'rail'];

export interface Manifest {
  /** Hash of the sources it was built from. */
  readonly sources: string;
  readonly script: string;
  readonly style: string;
  /** By rail. */
  readonly fieldScripts: Readonly<Record<string, string>>;
}

/** Builds if the output is missing or stale. */
export async function ensureBuilt(): Promise<{ readonly directory: string; readonly manifest: Manifest }> {
  const sources = await hashOfSources();
  const built = await readManifest();
  const manifest = built?.sources === sources ? built : await build(sources);
  return { directory: OUTPUT, manifest };
}

async function build(sources: string): Promise<Manifest> {
  const esbuild = await import('esbuild').catch(() => {
    throw new Error(
      `${OUTPUT} is missing or stale, and esbuild is not installed: run "node page/http/build.ts" first.`,
    );
  });
  const fieldEntries = await fieldScriptsOfRails();
  const result = await esbuild.build({
    absWorkingDir: PROJECT,
    entryPoints: { ...ENTRIES, ...fieldEntries },
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'safari16', 'chrome110', 'firefox115'],
    entryNames: '[name]-[hash]',
    outdir: OUTPUT,
    write: false,
    legalComments: 'none',
  });
  // esbuild's child process would outlive the build.
  await esbuild.stop();
  await mkdir(OUTPUT, { recursive: true });
  // Two processes may build at once: each file is renamed into place whole, the manifest last.
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

async function writeWhole(path: string, contents: string | Uint8Array): Promise<void> {
  const unfinished = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
}

async function readManifest(): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await readFile(join(OUTPUT, 'manifest.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of SOURCES) {
    const names = await readdir(join(PROJECT, folder), { recursive: true });
    for (const name of names.filter((each) => /\.(ts|css)$/.test(each)).sort()) {
      hash.update(`${folder}/${name}\0`).update(await readFile(join(PROJECT, folder, name)));
    }
  }
  return hash.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await rm(OUTPUT, { recursive: true, force: true });
  const { manifest } = await ensureBuilt();
  console.log(`dist/page: ${manifest.script}, ${manifest.style}`);
}
