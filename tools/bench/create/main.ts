/** `npm run bench -- create`: `POST /v1/checkouts` compared with a bare insert and a bare delayed start in series. */
import { createBuyers } from '../core/buyers.ts';
import { compare } from '../core/compare.ts';
import { type Contestant, stopwatch } from '../core/load.ts';
import { readOptions } from '../core/options.ts';
import { openBareInsert } from './bare-insert.ts';

const options = readOptions(process.argv.slice(3), {
  name: 'create',
  about: `A session's creation: POST /v1/checkouts until the response. Alternates with the minimum that it does,
without HTTP: an insert of a row of the same size, then a workflow started with a delay.`,
  operations: 1_000,
  atOnce: '1,16,64',
});

await compare(async (place, floor) => {
  const buyers = createBuyers(place);
  const table = await openBareInsert(place);
  const inSeries: Contestant = {
    name: 'insert, start',
    async act() {
      const since = stopwatch();
      await table.insert();
      const insert = since();
      await floor.start();
      return { insert, created: since() };
    },
  };
  const ours: Contestant = {
    name: 'create',
    async act() {
      const since = stopwatch();
      await buyers.create();
      return { created: since() };
    },
  };
  return {
    others: [inSeries],
    ours,
    async end() {
      await table.end();
      await buyers.end();
    },
  };
}, options);
