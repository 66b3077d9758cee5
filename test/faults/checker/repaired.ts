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

export function requestsAreRepaired({ exchanges, sessions }: Facts): Violation[] {
  const expiresAt = new Map(sessions.map(({ id, expires_at }) => [id, expires_at]));
  const pageEnds = new Map<string, string>();
  for (const { answer } of exchanges.filter(({ path, status }) => status === 201 && !isPage(path))) {
    const { id = '', hostedUrl } = JSON.parse(answer ?? '{}') as { id?: string; hostedUrl?: string };
    const end = expiresAt.get(id);
    if (hostedUrl && end) pageEnds.set(new URL(hostedUrl).pathname, end);
  }
  return [...notRepaired(exchanges)].flatMap(([subject, tries]) => {
    const [first, last] = [tries[0], tries.at(-1)];
    // A buyer who asks until the session is over has nothing left to ask for.
    const end = pageEnds.get((first?.path ?? '').replace(/\/[^/]+$/, ''));
    if (!first || !last || (end && last.answeredAt >= end)) return [];
    const found = `${tries.length} tries from ${first.sentAt} to ${last.answeredAt}: ${last.status} ${last.answer}`;
    return [{ promise: 'a repeat repairs a failed request', subject, found }];
  });
}

const isPage = (path: string) => path.startsWith('/pay/');
