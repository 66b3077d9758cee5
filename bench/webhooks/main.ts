/**
 * `npm run bench -- webhooks`: compares our delivery with graphile-worker (same signed request, same database,
 * same run) and with a plain loop; then measures good endpoints next to bad ones.
 */
import { announceMachine } from '../core/figures.ts';
import { deliverEvents, graphileWorker, sampleBody } from './contestants.ts';
import { type Figures, measure, measurePlainLoop, medianOf } from './measure.ts';
import { measureNeighbours } from './neighbours.ts';
import { readOptions } from './options.ts';
import { preparePlace } from './place.ts';
import { asData, inWords, summary } from './report.ts';

const { rounds, json, ...sizes } = readOptions(process.argv.slice(3));
const tell = json ? console.error : console.log;
const machine = announceMachine(tell);

const place = await preparePlace();
try {
  const scope = await place.openShop(place.urls.good);
  const body = await sampleBody(place.pool, scope);
  const plainLoopPerSecond = await measurePlainLoop(place, body, sizes.drained);
  tell(`plain loop: ${Math.round(plainLoopPerSecond)}/s (no database, no retry, no record)`);

  const contestants = [graphileWorker(place.pool, body), deliverEvents(place.pool, place.wakingPool, scope)];
  const [theirs, ours] = [[], []] as [Figures[], Figures[]];
  for (let round = 1; round <= rounds; round += 1) {
    for (const contestant of contestants) {
      const figures = await measure(place, contestant, sizes);
      tell(inWords(contestant.name, figures, sizes));
      (contestant.name === 'deliverEvents' ? ours : theirs).push(figures);
    }
  }
  const neighbours = await measureNeighbours(place, sizes.ratePerSecond, rounds, tell);

  const measured = {
    plainLoopPerSecond,
    graphileWorker: medianOf(theirs),
    deliverEvents: medianOf(ours),
    neighbours,
  };
  tell(summary(measured, sizes));
  if (json) console.log(JSON.stringify(asData(machine, sizes, measured), null, 2));
} finally {
  await place.end();
}
