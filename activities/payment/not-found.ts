/** The single place that decides when a rail's `notFound` counts as "never happened" (rule 4). */
import type { Rail } from '../../rail/rail.ts';

/**
 * Whether the call's deadline and the rail's lag have passed: a call unknown to the rail by then never
 * reached it. The lag is the longer one of the rail's search if a lost copy of the database may have made the
 * call.
 */
export function isNotFoundFinal(
  { trust: { lookupLagMs, searchLagMs } }: Rail,
  call: { readonly ms_past_deadline: number; readonly uncompared: boolean },
): boolean {
  return call.ms_past_deadline >= (call.uncompared ? searchLagMs : lookupLagMs);
}
