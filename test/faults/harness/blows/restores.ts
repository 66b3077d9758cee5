/** PostgreSQL and Temporal, restored to an earlier instant: each without the other, and both. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../core/random.ts';
import { requestAfterCut } from '../people/lost-requests.ts';
import { type Blow, measure, type Victims } from './blow.ts';
import { untilSale } from './until-sale.ts';

const HEALTHY_WITHIN_MS = 60_000;
const FORGOTTEN_MS = [4_000, 20_000] as const;

export function restores({ place, recorder, merchant, builds, unfinished }: Victims): readonly Blow[] {
  const { database, temporal } = place;
  const restoreDatabase = async (target: string) => {
    const stoppedAt = await database.restoreTo(target);
    recorder.restores.push({ at: new Date().toISOString(), stoppedAt: stoppedAt.toISOString(), target });
    return target;
  };
  const someTarget = (random: Random) =>
    new Date(Math.max(database.backedUpAt(), Date.now() - random.between(...FORGOTTEN_MS))).toISOString();
  const restoreTemporal = async () => {
    await temporal.restore();
    for (const worker of place.workers) {
      await worker.restart('SIGKILL', {});
      await worker.untilHealthy(HEALTHY_WITHIN_MS);
    }
    // Temporal may have lost the current build, and only workers of the last build are running.
    await builds.makeCurrent();
  };
  const untilSaleAfter = (what: string) =>
    measure(recorder, `${what}, until a session is created`, () => untilSale(place));
  return [
    {
      kind: 'PostgreSQL is restored',
      isMeasured: true,
      async strike(random) {
        const lost = await requestAfterCut(merchant, random);
        const target = await restoreDatabase(lost?.cut ?? someTarget(random));
        await untilSaleAfter('PostgreSQL is restored');
        // The next period of these subscriptions may be charged only if they continue.
        unfinished.push(...(lost?.ids ?? []).map((id) => merchant.renew(id, () => 1)));
        return `to ${target}, after which a cancellation and two pauses of ${lost?.ids.join(', ') ?? 'nothing'} are lost`;
      },
    },
    {
      kind: 'Temporal is restored',
      async strike(random) {
        await temporal.remember();
        const forgottenMs = random.between(...FORGOTTEN_MS);
        await pause(forgottenMs);
        await restoreTemporal();
        return `${forgottenMs} ms are forgotten`;
      },
    },
    {
      // PostgreSQL and Temporal are restored from backups of different times; either may be the older one.
      kind: 'both are restored',
      async strike(random) {
        await temporal.remember();
        const forgottenMs = random.between(...FORGOTTEN_MS);
        await pause(forgottenMs);
        const [target] = await Promise.all([restoreDatabase(someTarget(random)), restoreTemporal()]);
        await untilSaleAfter('both are restored');
        return `PostgreSQL to ${target}, and Temporal forgets ${forgottenMs} ms`;
      },
    },
  ];
}
