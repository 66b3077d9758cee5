/**
 * `npm run bench -- purchase`: a whole purchase, from its creation to the receipt of its webhook, compared with the
 * bare flow.
 */
import { watchArrivals } from '../core/arrivals.ts';
import { createBuyers } from '../core/buyers.ts';
import { compare } from '../core/compare.ts';
import { readOptions } from '../core/options.ts';

const options = readOptions(process.argv.slice(3), {
  name: 'purchase',
  about: `A purchase: POST /v1/checkouts, the hosted page, a card token of the sandbox rail, the click on "Pay", the state
when it is settled, and payment.succeeded at the shop, which verifies it. Alternates with the bare flow (a
delayed start, one update with a local activity that does nothing, an end).`,
  operations: 400,
  atOnce: '16',
});

await compare(async (place, floor) => {
  const arrivals = await watchArrivals(place);
  const buyers = createBuyers(place, arrivals);
  return {
    others: [floor.flow],
    ours: { name: 'purchase', act: async () => buyers.pay(await buyers.create()) },
    async end() {
      await arrivals.end();
      await buyers.end();
    },
  };
}, options);
