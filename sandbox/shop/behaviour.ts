/** How the shop answers webhooks: as it should, unless a test asks for something else. */
import { z } from 'zod';

export const behaviour = z.object({
  /** Answered instead of 200. */
  status: z.int().min(200).max(599).optional(),
  /** Waited before answering. */
  delayMs: z.int().nonnegative().max(600_000).optional(),
  /** Sent as Retry-After. */
  retryAfterSeconds: z.int().nonnegative().optional(),
  /** For this many deliveries; absent: until it is changed. */
  count: z.int().positive().optional(),
});
type Behaviour = z.infer<typeof behaviour>;

export interface BehaviourSwitch {
  set(behaviour: Behaviour): void;
  /** What to do with the delivery that has just arrived. */
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
