/** The Chromium that pages are measured in. */
import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '../../sandbox/stack/browser.ts';
import { cacheDir } from '../../sandbox/stack/core/directories.ts';
import { createProgress } from '../../sandbox/stack/core/progress.ts';

export async function openBrowser(): Promise<Browser> {
  const progress = createProgress(console.error);
  const executablePath = await findBrowser({ env: process.env, cacheDir: cacheDir(process.env), progress });
  if (!executablePath) throw new Error('no Chromium: set CHROMIUM to its path');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}
