/** The only place that decides when a rail's `notFound` counts as "never happened" (rule 4). */
import type { Rail } from '../../rail/rail.ts';

/**
 * Whether the call's deadline and the rail's lag have passed. A call still unknown to the rail by then was
 * never received.
 */
export function isNotFoundFinal(
  { trust: { lookupLagMs } }: Rail,
  call: { readonly ms_past_deadline: number },
): boolean {
  return call.ms_past_deadline >= lookupLagMs;
}
