/** How the shop answers webhooks: correctly, unless a test sets a fault. */
import { z } from 'zod';

export const behaviour = z.object({
  /** Status instead of 200. */
  status: z.int().min(200).max(599).optional(),
  /** Delay before the response. */
  delayMs: z.int().nonnegative().max(600_000).optional(),
  /** The `Retry-After` header. */
  retryAfterSeconds: z.int().nonnegative().optional(),
  /** Number of deliveries affected; if absent, all until changed. */
  count: z.int().positive().optional(),
});
type Behaviour = z.infer<typeof behaviour>;

export interface BehaviourSwitch {
  set(behaviour: Behaviour): void;
  /** The behaviour for the delivery that has just arrived. */
  next(): Behaviour;
}

export function createBehaviourSwitch(): BehaviourSwitch {
  let current: Behaviour = {};
  let left = 0;
  return {
    set(behaviour) {
      current = behaviour;
      left = behaviour.count ?? Number.POSITIVE_INFINITY;
    },
    next() {
      if (left <= 0) return {};
      left -= 1;
      return current;
    },
  };
}
