/** When a rail's `notFound` counts as "never happened": everywhere by this function (rule 4). */
import type { Rail } from '../../rail/rail.ts';

/**
 * Whether the call's deadline and the rail's lag have passed: what the rail does not know by then, it never received. The
 * lag is the longer one of the rail's search where a lost copy of the database may have made the call.
 */
export function isNotFoundFinal(
  { trust: { lookupLagMs, searchLagMs } }: Rail,
  call: { readonly ms_past_deadline: number; readonly uncompared: boolean },
): boolean {
  return call.ms_past_deadline >= (call.uncompared ? searchLagMs : lookupLagMs);
}
