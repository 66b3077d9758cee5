/** Duration of authorizing calls to the rail, from the worker's own metrics. */
import { request } from 'undici';
import type { Place } from '../core/place.ts';

const METRIC = 'checkout_rail_call_duration_seconds';

interface Calls {
  readonly count: number;
  readonly seconds: number;
}

export function railTime({ dev }: Place) {
  let before: Calls = { count: 0, seconds: 0 };

  async function read(): Promise<Calls> {
    const answer = await request(dev.metrics.worker);
    const text = await answer.body.text();
    const sumOf = (name: string) =>
      [
        ...text.matchAll(
          new RegExp(`^${METRIC}_${name}\\{[^}]*operation="authorize"[^}]*\\} ([\\d.e+-]+)`, 'gm'),
        ),
      ]
        .map(([, value]) => Number(value))
        .reduce((sum, value) => sum + value, 0);
    return { count: sumOf('count'), seconds: sumOf('sum') };
  }

  return {
    async start(): Promise<void> {
      before = await read();
    },
    /** @throws Error if there was no call since the start */
    async meanMs(): Promise<number> {
      const after = await read();
      const count = after.count - before.count;
      if (count === 0) throw new Error(`${dev.metrics.worker} counted no rail call`);
      return ((after.seconds - before.seconds) * 1_000) / count;
    },
  };
}
