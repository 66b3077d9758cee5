/** `npm run bench -- dashboard`: how long dashboard pages take to become usable on a slow processor. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { openBrowser } from '../core/browser.ts';
import { announceMachine, median } from '../core/figures.ts';
import { openSlowly, type Usable } from './usable.ts';

const HELP = `Usage: npm run bench -- dashboard [--rounds <n>] [--slowness <n>]

Opens pages of the dashboard of a running "npm start" in Chromium, as its owner who is logged in at the provider, with
an empty cache, and prints medians: milliseconds until the page shows its data with the processor seeming slower
(default 4 times), and processor time of the page's main thread, which grows with the slowing.`;
const PAGES = { home: '', payments: '/payments', branding: '/branding' } as const;

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: 'string', default: '7' },
    slowness: { type: 'string', default: '4' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else await measure();

async function measure(): Promise<void> {
  announceMachine();
  const dev = JSON.parse(await readFile(join(PROJECT_DIR, '.local', 'dev.json'), 'utf8'));
  const browser = await openBrowser();
  const home = `${dev.dashboardUrl}/${dev.merchant.id}/sandbox`;
  for (const [name, path] of Object.entries(PAGES)) {
    const rounds: Usable[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(home);
      await page.locator('button[name=account]').first().click();
      await page.locator('.page-head').waitFor();
      const devtools = await context.newCDPSession(page);
      await devtools.send('Network.clearBrowserCache');
      rounds.push(await openSlowly(page, `${home}${path}`, Number(values.slowness)));
      await context.close();
    }
    const of = (pick: (one: Usable) => number) => median(rounds.map(pick)).toFixed(0).padStart(5);
    console.log(
      `${name.padEnd(10)}${of(({ ms }) => ms)} ms at ${values.slowness}x   CPU: ${of(({ cpu }) => cpu.all)} ms, script ${of(({ cpu }) => cpu.script)}, layout ${of(({ cpu }) => cpu.layout)}`,
    );
  }
  await browser.close();
}
