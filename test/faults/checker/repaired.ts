/** A request that failed is repaired by a repeat, as the contract advises it. */
import { type Facts, groupBy, type Violation } from './facts.ts';
import type { Exchange } from './records.ts';

/** No answer, or one that asks for a repeat. */
export const isFailure = ({ status }: Exchange) =>
  status === 0 || status === 429 || (status >= 500 && status !== 501);

/** Requests that failed, by their key or content, of which no try was answered. */
export function notRepaired(exchanges: readonly Exchange[]): ReadonlyMap<string, readonly Exchange[]> {
  const tries = groupBy(exchanges, ({ path, key, body }) => `${path} ${key} ${body}`);
  return new Map([...tries].filter(([, all]) => all.every(isFailure)));
}

export function requestsAreRepaired({ exchanges }: Facts): Violation[] {
  return [...notRepaired(exchanges)].map(([subject, tries]) => {
    const last = tries.at(-1);
    const found = `${tries.length} tries from ${tries[0]?.sentAt} to ${last?.answeredAt}: ${last?.status} ${last?.answer}`;
    return { promise: 'a repeat repairs a failed request', subject, found };
  });
}
