/** Which failpoints a run has reached, in each flow. */
import { FLOWS, type Flow, pointsOf } from './points.ts';

interface Reached {
  readonly flow: Flow;
  readonly hit: readonly string[];
  readonly missed: readonly string[];
}

export function byFlow(reached: readonly string[]): readonly Reached[] {
  return FLOWS.map((flow) => ({
    flow,
    hit: pointsOf(flow).filter((point) => reached.includes(point)),
    missed: pointsOf(flow).filter((point) => !reached.includes(point)),
  }));
}

/** Lines to print. */
export function tellByFlow(reached: readonly string[]): readonly string[] {
  return byFlow(reached).flatMap(({ flow, hit, missed }) => [
    `${flow}, ${hit.length} of ${hit.length + missed.length}: ${hit.join('; ') || 'none'}`,
    ...(missed.length > 0 ? [`  not reached: ${missed.join('; ')}`] : []),
  ]);
}
