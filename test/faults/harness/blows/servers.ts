/** PostgreSQL and Temporal: crashed, stopped, without a free connection or disk space. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../core/random.ts';
import { type Blow, measure, type Victims } from './blow.ts';
import { untilSale } from './until-sale.ts';

export function blowsToServers({ place, recorder }: Victims): readonly Blow[] {
  const { database, temporal } = place;
  const saleAfter = (what: string) =>
    measure(recorder, `${what}, until a session is created`, () => untilSale(place));
  const { fillDisk } = database;
  return [
    {
      kind: 'PostgreSQL crashes',
      isMeasured: true,
      async strike() {
        await database.crash();
        await saleAfter('PostgreSQL crashes');
        return 'and recovers';
      },
    },
    {
      kind: 'PostgreSQL has no connection left',
      async strike(random) {
        const taken = await database.takeConnections(random.between(3_000, 9_000));
        await saleAfter('PostgreSQL has no connection left');
        return `${taken} connections taken`;
      },
    },
    ...(fillDisk
      ? [
          {
            kind: 'the disk is full',
            async strike(random: Random) {
              const isDown = await fillDisk(random.between(4_000, 12_000));
              await saleAfter('the disk is full');
              return isDown ? 'PostgreSQL exited and was restarted' : 'PostgreSQL kept running';
            },
          },
        ]
      : []),
    {
      kind: 'Temporal stops',
      async strike(random) {
        // One in four outages lasts a minute, longer than clients and workers wait.
        const forMs = random.chance(0.25) ? 60_000 : random.between(1_000, 15_000);
        await temporal.stop();
        await pause(forMs);
        await temporal.start();
        return `for ${Math.round(forMs / 1_000)} s`;
      },
    },
  ];
}
