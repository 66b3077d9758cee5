/** Faults on purpose, set by tests through `POST /admin/faults`. They live in memory: a restart ends them. */
import { z } from 'zod';
import { OPERATIONS, type Operation } from './operations/names.ts';

export const faultSchema = z.object({
  operation: z.enum([...OPERATIONS, '*']),
  /**
   * `drop-before`: the socket is cut and nothing happens. `drop-after`: it is cut after the commit.
   * `delay`: the call waits before it is carried out, `delay-after`: its answer waits. `500`, `429` and
   * `lock`: refused, nothing happens. `truncate`: carried out, half of the answer is sent, and the socket
   * is cut. `garbage`: carried out, the answer is no JSON.
   */
  mode: z.enum([
    'drop-before',
    'drop-after',
    'delay',
    'delay-after',
    '500',
    '429',
    'lock',
    'truncate',
    'garbage',
  ]),
  /** How many calls it hits. */
  count: z.number().int().positive().default(1),
  delayMs: z.number().int().nonnegative().max(600_000).default(1_000),
  /** Hits only calls of this account, or about this reference. */
  account: z.string().optional(),
  reference: z.string().optional(),
});
export type Fault = z.infer<typeof faultSchema>;
export type FaultMode = Fault['mode'];

export interface Call {
  readonly operation: Operation;
  readonly account: string;
  readonly reference: string | null;
}

export class Faults {
  #pending: Fault[] = [];

  add(fault: Fault): void {
    this.#pending.push({ ...fault });
  }

  clear(): void {
    this.#pending = [];
  }

  list(): readonly Fault[] {
    return this.#pending;
  }

  /** The first fault that fits the call; one of its count is used up. */
  take(call: Call): Fault | null {
    const fault = this.#pending.find((candidate) => fits(candidate, call));
    if (!fault) return null;
    fault.count -= 1;
    if (fault.count === 0) this.#pending = this.#pending.filter((other) => other !== fault);
    return fault;
  }
}

function fits(fault: Fault, call: Call): boolean {
  return (
    (fault.operation === '*' || fault.operation === call.operation) &&
    (fault.account === undefined || fault.account === call.account) &&
    (fault.reference === undefined || fault.reference === call.reference)
  );
}
