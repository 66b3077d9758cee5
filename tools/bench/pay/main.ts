/**
 * `npm run bench -- pay`: the click on "Pay", until its response and until the payment is settled, compared with a
 * bare update.
 */
import { watchArrivals } from '../core/arrivals.ts';
import { createBuyers, type ReadyBuyer } from '../core/buyers.ts';
import { compare } from '../core/compare.ts';
import { type Contestant, inParallel, withinAMinute } from '../core/load.ts';
import { readOptions } from '../core/options.ts';
import { railTime } from './rail-time.ts';

const options = readOptions(process.argv.slice(3), {
  name: 'pay',
  about: `A click on "Pay" of a session whose page is open and whose card the rail knows: until the answer, and until the
payment is settled, also less the mean time of the rail's authorization. Alternates with an update with a local activity
that does nothing, to a workflow in its start delay. Delivering the webhooks counts as CPU time, not as delay.`,
  operations: 200,
  atOnce: '1,16',
});

const SETTLED = 'click to settled';

await compare(async (place, floor) => {
  const arrivals = await watchArrivals(place);
  const buyers = createBuyers(place, arrivals);
  const rail = railTime(place);
  const ready: ReadyBuyer[] = [];
  const deliveries: Promise<unknown>[] = [];
  const ours: Contestant = {
    name: 'pay',
    async prepare(operations) {
      const open = async () => buyers.getReady(await buyers.create());
      ready.push(...(await inParallel(operations, open)));
      await rail.start();
    },
    async act() {
      const buyer = ready.pop();
      if (!buyer) throw new Error('more clicks than sessions');
      const { delays, received } = await buyers.click(buyer);
      deliveries.push(received);
      return delays;
    },
    async finish(ran) {
      await withinAMinute('the last webhooks', Promise.all(deliveries.splice(0)));
      const railMs = await rail.meanMs();
      const less = Object.entries(ran.delays[SETTLED] ?? {}).map(([name, ms]) => [name, ms - railMs]);
      return { ...ran, delays: { ...ran.delays, [`${SETTLED}, less the rail`]: Object.fromEntries(less) } };
    },
  };
  return {
    others: [floor.update],
    ours,
    async end() {
      await arrivals.end();
      await buyers.end();
    },
  };
}, options);
