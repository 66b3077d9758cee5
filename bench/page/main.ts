/** `npm run bench -- page`: how the hosted page opens on a slow phone. */
import { parseArgs } from 'node:util';
import { openBrowser } from '../core/browser.ts';
import { createBuyers } from '../core/buyers.ts';
import { announceMachine, type Machine, median } from '../core/figures.ts';
import { openPlace } from '../core/place.ts';
import { type Visit, visitSlowly } from './slow-phone.ts';

const HELP = `Usage: npm run bench -- page [--rounds <n>] [--json]

Starts the whole service in a directory of its own, and opens the hosted page of one new session after another in Chromium:
390 x 844 pixels, 1.6 Mbit/s, 150 ms, a processor that seems four times slower, an empty cache. Prints the medians of the
bytes received, of the first contentful paint and of the card fields' appearance, and the largest layout shift.

  --rounds <n>  sessions (default 9)
  --json        one JSON document on standard output at the end`;

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: 'string', default: '9' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else await measure();

async function measure(): Promise<void> {
  const machine = announceMachine();
  const place = await openPlace({ temporalOnPostgres: false, countStatements: false });
  const buyers = createBuyers(place);
  const browser = await openBrowser();
  try {
    // The first page after the start finds nothing compiled or cached in the API.
    await visitSlowly(browser, (await buyers.create()).hostedUrl);
    const visits: Visit[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) {
      visits.push(await visitSlowly(browser, (await buyers.create()).hostedUrl));
    }
    print(machine, visits);
  } finally {
    await browser.close();
    await buyers.end();
    await place.end();
  }
}

function print(machine: Machine, visits: readonly Visit[]): void {
  const of = (name: keyof Visit) => median(visits.map((visit) => visit[name]));
  const figures = {
    bytes: of('bytes'),
    firstPaintMs: of('firstPaintMs'),
    fieldsReadyMs: of('fieldsReadyMs'),
    layoutShift: Math.max(...visits.map(({ layoutShift }) => layoutShift)),
  };
  if (values.json) {
    console.log(JSON.stringify({ machine, visits, figures }, null, 2));
    return;
  }
  console.log(`received            ${(figures.bytes / 1_000).toFixed(1)} kB`);
  console.log(`first paint         ${figures.firstPaintMs.toFixed(0)} ms`);
  console.log(`card fields ready   ${figures.fieldsReadyMs.toFixed(0)} ms`);
  console.log(`layout shift        ${figures.layoutShift.toFixed(3)}`);
}
