/** Figures of a run besides violations, from the clients' point of view: how long a fault affected them. */
import type { Exchange, Fault } from '../checker/records.ts';
import { isFailure, notRepaired } from '../checker/repaired.ts';
import { nextSteps } from './next-steps.ts';
import { LAST_REDEMPTION } from './people/coupons.ts';
import { OPERATIONS } from './people/operations.ts';
import type { Outcome } from './run.ts';

export interface Figure {
  readonly what: string;
  readonly times: number;
  readonly medianMs: number;
  readonly worstMs: number;
}

/** The aim: a session continues within 15 s of its worker's death, if nothing else is broken. */
export function figuresOf({ records, recoveries }: Outcome): readonly Figure[] {
  const { alone, beside } = nextSteps(records);
  const measured = [...Map.groupBy(recoveries, ({ what }) => what)].map(([what, all]) =>
    figure(
      what,
      all.map(({ ms }) => ms),
    ),
  );
  return [
    figure('a worker is killed mid-charge, until the next step of the session', alone),
    figure('the same with the other worker or during another fault', beside),
    ...measured,
  ];
}

/**
 * Counts requests without a response, or with one that asks for a retry, while an API was killed, and requests that no
 * retry completed.
 */
export function failedRequests({ records }: Outcome): { readonly failed: number; readonly lost: number } {
  const kills = records.faults.filter(
    ({ kind, what }) => kind.startsWith('SIGKILL') && what.startsWith('API'),
  );
  const failed = records.exchanges.filter(
    (each) => isFailure(each) && kills.some((kill) => overlaps(kill, each)),
  );
  const forGood = new Set([...notRepaired(records).values()].flat());
  return { failed: failed.length, lost: failed.filter((each) => forGood.has(each)).length };
}

const overlaps = ({ at, until }: Fault, each: Exchange) => each.answeredAt >= at && each.sentAt <= until;
function figure(what: string, values: readonly number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b);
  const medianMs = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return { what, times: sorted.length, medianMs, worstMs: sorted.at(-1) ?? 0 };
}

/** Lines to print. */
export function tellFigures(outcome: Outcome): readonly string[] {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const { failed, lost } = failedRequests(outcome);
  return [
    ...figuresOf(outcome).map(({ what, times, medianMs, worstMs }) =>
      times === 0
        ? `${what}: none`
        : `${what}: ${times} times, median ${seconds(medianMs)}, worst ${seconds(worstMs)}`,
    ),
    `the whole run: ${seconds(outcome.tookMs)}, of which ${seconds(outcome.settledAfterMs)} after the last fault`,
    `requests that failed while an API was killed: ${failed}, of which no retry completed ${lost}`,
    `operations: ${tellOperations(outcome)}`,
  ];
}

/** Names each operation, including those that never took place: a run without a race proves nothing about it. */
export function tellOperations({ operations }: Pick<Outcome, 'operations'>): string {
  return [...OPERATIONS, LAST_REDEMPTION].map((what) => `${what} ${operations.get(what) ?? 0}`).join(', ');
}
