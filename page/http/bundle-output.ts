/** Shared by the builds of the page and the dashboard: writes the output, and detects when it is stale. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The oldest browsers that run a bundle. */
export const TARGET = ['es2022', 'safari16', 'chrome110', 'firefox115'];

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
