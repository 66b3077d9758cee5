/** One way to break something. */
import type { Client } from '@temporalio/client';
import type { Random } from '../core/random.ts';
import { elapsed, type Recorder } from '../core/record.ts';
import type { Merchant } from '../people/merchant.ts';
import type { Place } from '../place/place.ts';
import type { Builds } from './builds.ts';

export interface Blow {
  readonly kind: string;
  /** Every run prints the recovery time of this kind, so it comes before the others. */
  readonly isMeasured?: true;
  /** Takes up to a minute, most of it waiting, and breaks nothing that another blow repairs. */
  readonly isSlow?: true;
  /** Breaks the target, waits, and repairs it. @returns a description of the target */
  strike(random: Random): Promise<string>;
}

/** Possible targets of a blow. */
export interface Victims {
  readonly place: Place;
  readonly recorder: Recorder;
  readonly merchant: Merchant;
  readonly client: Client;
  readonly builds: Builds;
  /** Requests that outlast their blow: the run waits for them before it ends. */
  readonly unfinished: Promise<unknown>[];
  /** Whether there is time for faults of a minute. */
  readonly isLong: boolean;
}

/** Records how long the work took, under this label. */
export async function measure(recorder: Recorder, what: string, work: () => Promise<unknown>): Promise<void> {
  const since = performance.now();
  await work();
  recorder.recoveries.push({ what, ms: elapsed(since) });
}
