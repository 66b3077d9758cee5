/** The bundled script and style, held in memory and compressed once. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Request, Response } from 'express';
import type { PageAsset, PageAssets } from '../document/assets.ts';
import { ensureBuilt } from './build.ts';
import { compress, sendCompressed } from './compressed.ts';
import { integrityOf } from './integrity.ts';

const loading = new Map<string, Promise<PageAssets>>();

/**
 * Loads the assets once per process.
 *
 * @param publicUrl the service's URL as browsers see it
 */
export function assetsUnder(publicUrl: string): Promise<PageAssets> {
  const base = `${new URL(publicUrl).pathname.replace(/\/$/, '')}/pay`;
  const assets = loading.get(base) ?? loadAssets(base);
  loading.set(base, assets);
  return assets;
}

async function loadAssets(base: string): Promise<PageAssets> {
  const { directory, manifest } = await ensureBuilt();
  const load = async (name: string, type: string): Promise<PageAsset> => {
    const body = await readFile(join(directory, name));
    const file = await compress(type, body);
    return { ...file, path: `${base}/assets/${name}`, integrity: integrityOf(body) };
  };
  const script = (name: string) => load(name, 'text/javascript; charset=utf-8');
  const fieldScripts: Record<string, PageAsset> = {};
  for (const [rail, name] of Object.entries(manifest.fieldScripts)) fieldScripts[rail] = await script(name);
  const style = await load(manifest.style, 'text/css; charset=utf-8');
  return { script: await script(manifest.script), style, fieldScripts };
}

/**
 * Finds an asset by its path. During a rollout a page may request a script of another build; this process then answers
 * with its own script, which must not be cached.
 */
export function findAsset(
  { script, style, fieldScripts }: PageAssets,
  name: string,
): { readonly asset: PageAsset; readonly exact: boolean } | null {
  const asset = [script, style, ...Object.values(fieldScripts)].find(
    ({ path }) => unhashed(path) === unhashed(name),
  );
  return asset ? { asset, exact: asset.path.endsWith(`/${name}`) } : null;
}

/** Removes the hash from a file name: `/pay/assets/main-LQOGQGRV.js` becomes `main.js`. */
function unhashed(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/-[0-9A-Z]+(?=\.\w+$)/, '');
}

export function sendAsset(req: Request, res: Response, asset: PageAsset, exact: boolean): void {
  // The preview of a merchant's branding has an opaque origin, so the script is cross-origin there.
  res.set('Access-Control-Allow-Origin', '*');
  // The file name contains a content hash.
  sendCompressed(req, res, asset, exact ? 'public, max-age=31536000, immutable' : 'no-store');
}
