/** Shared by the builds of the page and the dashboard: bundles, writes the output, and detects when it is stale. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, BuildResult } from 'esbuild';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The oldest browsers that run a bundle. */
const TARGET = ['es2022', 'safari16', 'chrome110', 'firefox115'];

let lastBundle: Promise<unknown> = Promise.resolve();

/**
 * Bundles for browsers, one bundle at a time. After each, esbuild's child process, which would outlive the build, is
 * stopped; a concurrent build in this process would then never end.
 * @throws if esbuild, a development dependency, is not installed
 */
export function bundle(options: BuildOptions): Promise<BuildResult<{ write: false; metafile: true }>> {
  const bundling = lastBundle.then(async () => {
    const esbuild = await import('esbuild').catch(() => {
      throw new Error(
        'The output is missing or stale, and esbuild is not installed: install the development dependencies.',
      );
    });
    try {
      return await esbuild.build({
        absWorkingDir: PROJECT,
        bundle: true,
        minify: true,
        format: 'esm',
        target: TARGET,
        entryNames: '[name]-[hash]',
        legalComments: 'none',
        ...options,
        write: false,
        metafile: true,
      });
    } finally {
      await esbuild.stop();
    }
  });
  lastBundle = bundling.catch(() => {});
  return bundling;
}

/** Writes a file under a temporary name and renames it when complete, because two processes may build at once. */
export async function writeWhole(path: string, contents: string | Uint8Array): Promise<void> {
  const unfinished = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
}

/** @returns undefined if the output is missing or unfinished */
export async function readManifest<Manifest>(output: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await readFile(join(output, 'manifest.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param folders from which the bundle may import */
export async function hashOfSources(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const names = await readdir(join(PROJECT, folder), { recursive: true });
    for (const name of names.filter((each) => /\.(tsx?|css)$/.test(each)).sort()) {
      hash.update(`${folder}/${name}\0`).update(await readFile(join(PROJECT, folder, name)));
    }
  }
  return hash.digest('hex');
}
