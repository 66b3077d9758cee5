/** `npm run bench -- plans`: the rows that frequent statements read in big tables. */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { announceMachine, median } from '../core/figures.ts';
import { openSeededDatabase } from '../core/seeded-database.ts';
import { type Explained, explain } from './explain.ts';
import { HOT_STATEMENTS } from './hot-statements.ts';
import { readSeededIds, searchesOf } from './searches.ts';

const HELP = `Usage: npm run bench -- plans [--purchases <n>] [--subscriptions <n>] [--json]

Fills a separate database (default 500,000 purchases and 100,000 subscriptions: five minutes, 5 GB) and explains each
hot statement and search of the dashboard with (analyze, buffers): milliseconds (median of five), rows examined by scans, pages of 8 kB, and
tables with more than a thousand rows that were scanned sequentially.`;

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    purchases: { type: 'string', default: '500000' },
    subscriptions: { type: 'string', default: '100000' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else await measure();

async function measure(): Promise<void> {
  const machine = announceMachine();
  const seed = { purchases: Number(values.purchases), subscriptions: Number(values.subscriptions) };
  const database = await openSeededDatabase(seed);
  try {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const measured: ({ readonly name: string } & Explained)[] = [];
    for (const { name, ask } of [...HOT_STATEMENTS, ...searchesOf(await readSeededIds(client))]) {
      const rounds: Explained[] = [];
      for (let round = 0; round < 6; round += 1) rounds.push(await explain(client, ask));
      // The first run reads from disk.
      const [, ...warm] = rounds as [Explained, Explained, ...Explained[]];
      measured.push({ name, ...warm[0], ms: median(warm.map(({ ms }) => ms)) });
    }
    await client.end();
    if (values.json) console.log(JSON.stringify({ machine, seed, measured }, null, 2));
    else for (const one of measured) console.log(lineOf(one));
  } finally {
    await database.end();
  }
}

function lineOf({ name, ms, rowsRead, pages, sequential }: { readonly name: string } & Explained): string {
  const figures = `${ms.toFixed(2).padStart(9)} ms ${`${rowsRead}`.padStart(8)} rows ${`${pages}`.padStart(7)} pages`;
  return [name.padEnd(40), figures, ...sequential].join('  ');
}
