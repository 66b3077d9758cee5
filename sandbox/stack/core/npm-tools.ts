/**
 * Programs from npm that only some commands and tests run: installed beside the project, where they survive a new
 * clone.
 */
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../process/tool.ts';
import { cacheDir } from './directories.ts';

/**
 * @param name with its version: another name is another directory
 * @param packages with their exact versions
 * @returns the directory that contains node_modules
 */
export async function npmTools(name: string, packages: Readonly<Record<string, string>>): Promise<string> {
  const dir = join(cacheDir(process.env), name);
  const isThere = () => stat(dir).then(Boolean, () => false);
  if (await isThere()) return dir;
  await mkdir(cacheDir(process.env), { recursive: true });
  const workDir = await mkdtemp(`${dir}.getting-`);
  try {
    const manifest = { private: true, type: 'module', dependencies: packages };
    await writeFile(join(workDir, 'package.json'), JSON.stringify(manifest));
    await runTool('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: workDir });
    await rename(workDir, dir).catch(async (error: unknown) => {
      if (!(await isThere())) throw error;
    });
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
  return dir;
}
