/**
 * Simulates a rail whose look-ups lag behind its calls, like a processor's search: a new charge or refund is not
 * found yet, and a cancel finds nothing to end. Such a cancel does not stop a call that is still in flight.
 */
import type { Context } from './context.ts';

export function unlessNew<Item extends { readonly createdAt: string }>(
  { lagMs }: Pick<Context, 'lagMs'>,
  item: Item | null,
): Item | null {
  return item && Date.now() - Date.parse(item.createdAt) < lagMs ? null : item;
}
