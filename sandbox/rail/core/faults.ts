/** Faults that tests inject through `POST /admin/faults`. In memory: a restart clears them. */
import { z } from 'zod';
import { OPERATIONS, type Operation } from './operation-names.ts';

/**
 * `drop-before`: cuts the socket, without effect. `drop-after`: cuts it after the commit. `delay`: waits before the
 * call takes effect; `delay-after`: before its response. `500`, `429` and `lock`: refuse, without effect. `truncate`:
 * takes effect, sends half of the response and cuts the socket. `garbage`: takes effect, and responds with something
 * other than JSON.
 */
export const FAULT_MODES = [
  'drop-before',
  'drop-after',
  'delay',
  'delay-after',
  '500',
  '429',
  'lock',
  'truncate',
  'garbage',
] as const;

export const faultSchema = z.object({
  operation: z.enum([...OPERATIONS, '*']),
  mode: z.enum(FAULT_MODES),
  /** Number of calls affected. */
  count: z.number().int().positive().default(1),
  delayMs: z.number().int().nonnegative().max(600_000).default(1_000),
  /** Restricts the fault to an account or a reference. */
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

  /** Consumes one use of the first fault that matches the call. */
  take(call: Call): Fault | null {
    const fault = this.#pending.find((candidate) => matches(candidate, call));
    if (!fault) return null;
    fault.count -= 1;
    if (fault.count === 0) this.#pending = this.#pending.filter((other) => other !== fault);
    return fault;
  }
}

function matches(fault: Fault, call: Call): boolean {
  return (
    (fault.operation === '*' || fault.operation === call.operation) &&
    (fault.account === undefined || fault.account === call.account) &&
    (fault.reference === undefined || fault.reference === call.reference)
  );
}
