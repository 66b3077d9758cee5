/** Breaks something, waits, repairs it, and begins again; what and when follows from the seed. */
import { setTimeout as pause } from 'node:timers/promises';
import { openTemporal } from '../../../temporal/client.ts';
import type { Blow } from './blows/blow.ts';
import { blowsToLinks } from './blows/links.ts';
import { blowsFromOutsiders, clearRailFaults } from './blows/outsiders.ts';
import { blowsToProcesses } from './blows/processes.ts';
import { blowsToRuns } from './blows/runs.ts';
import { blowsToServers, restores } from './blows/servers.ts';
import type { Random } from './core/random.ts';
import { now, type Recorder } from './core/record.ts';
import type { Place } from './place/place.ts';

const STRIKES = 3;

export interface AdversaryOptions {
  readonly place: Place;
  readonly recorder: Recorder;
  readonly random: Random;
  readonly faults: number;
  /** Spread over this time. */
  readonly withinMs: number;
  readonly restores: boolean;
  /** Kinds whose name contains this text; absent: all. */
  readonly only: string | undefined;
  readonly tell: (line: string) => void;
}

export async function attack(options: AdversaryOptions): Promise<void> {
  const { place, recorder, random, faults, withinMs, tell } = options;
  const client = openTemporal({ address: `127.0.0.1:${place.temporal.port}`, namespace: 'default' });
  const victims = { place, recorder, random, client };
  const blows = [
    ...blowsToProcesses(victims),
    ...blowsToServers(victims),
    ...blowsToLinks(victims),
    ...blowsFromOutsiders(victims),
    ...blowsToRuns(victims),
    ...(options.restores ? restores(victims) : []),
  ].filter(({ kind }) => kind.includes(options.only ?? ''));
  const start = performance.now();
  // Every kind comes before any comes twice.
  let bag: Blow[] = [];
  try {
    for (let n = 0; n < faults; n++) {
      const due = start + (withinMs * (n + random.next())) / faults;
      await pause(Math.max(0, due - performance.now()));
      if (bag.length === 0) bag = [...blows];
      const [blow] = bag.splice(Math.floor(random.next() * bag.length), 1);
      if (!blow) break;
      const at = now();
      const what = await strike(blow);
      recorder.faults.push({ kind: blow.kind, what, at, until: now() });
      tell(`fault ${n + 1} of ${faults}: ${blow.kind}, ${what}`);
    }
  } finally {
    for (const link of place.links) link.heal();
    place.receiver.behave(200, 0);
    await clearRailFaults(place).catch(() => {});
    await client.connection.close();
  }
}

/** Again after a failure: what it asks the service, the rail or Temporal for may come too late on a busy machine. */
async function strike(blow: Blow): Promise<string> {
  let failure = '';
  for (let n = 0; n < STRIKES; n++) {
    try {
      return await blow.strike();
    } catch (error) {
      failure = (error as Error).message;
    }
  }
  return `failed: ${failure}`;
}
