/**
 * Runs axe on the page and every frame in it. If a dialog is open, only on the dialog, because the page behind it
 * cannot be used.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules whose result depends on colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * @param which `colours`: only their rules, for a page that passed all rules in a theme that differs only in colours
 * @returns one line for each violation
 */
export async function violationsOf(page: Page, which: 'all' | 'colours' = 'all'): Promise<string[]> {
  const found: string[] = [];
  // Skips the browser's own error documents.
  for (const frame of page.frames().filter((each) => !each.url().startsWith('chrome-error:'))) {
    // The page's policy would block a script tag.
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE);
    found.push(...(await frame.evaluate(runAxe, which === 'all' ? ALL : OF_COLOURS)));
  }
  return found;
}

async function runAxe(runOnly: readonly string[]): Promise<string[]> {
  const { axe } = window as unknown as { axe: typeof import('axe-core') };
  const { violations } = await axe.run(document.querySelector('dialog:modal') ?? document, {
    iframes: false,
    // Preloading fetches the style sheets again, which the policy of a page without connections blocks.
    preload: false,
    runOnly: [...runOnly],
    // Otherwise axe also describes each element that passed: a tenth of its CPU time.
    resultTypes: ['violations'],
  });
  return violations.map(
    ({ id, help, nodes }) =>
      `${location.pathname} ${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join(', ')})`,
  );
}
