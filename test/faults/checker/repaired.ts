/** A retry completes a failed request, as the contract advises. */
import { type Facts, groupBy, type Violation } from './facts.ts';
import type { Exchange, Records } from './records.ts';

/** No response, or one after which a client retries. */
export const isFailure = ({ status }: Exchange) =>
  status === 0 || status === 429 || (status >= 500 && status !== 501);

/**
 * Failed requests, by key or content, of which no try was answered. Excludes a buyer who retried until the session was
 * over: then nothing is left to retry.
 */
export function notRepaired({
  exchanges,
  sessions,
}: Pick<Records, 'exchanges' | 'sessions'>): ReadonlyMap<string, readonly Exchange[]> {
  const tries = groupBy(exchanges, ({ path, key, body }) => `${path} ${key} ${body}`);
  const ends = endsOfPages({ exchanges, sessions });
  return new Map(
    [...tries].filter(([, all]) => {
      const end = ends.get((all[0]?.path ?? '').replace(/\/[^/]+$/, ''));
      return all.every(isFailure) && !(end && (all.at(-1)?.answeredAt ?? '') >= end);
    }),
  );
}

export function requestsAreRepaired(facts: Facts): Violation[] {
  return [...notRepaired(facts)].flatMap(([subject, tries]) => {
    const [first, last] = [tries[0], tries.at(-1)];
    if (!first || !last) return [];
    const found = `${tries.length} tries from ${first.sentAt} to ${last.answeredAt}: ${last.status} ${last.answer}`;
    return [{ promise: 'a retry completes a failed request', subject, found }];
  });
}

/** When the session of each page expires, by the page's path. */
function endsOfPages({ exchanges, sessions }: Pick<Records, 'exchanges' | 'sessions'>) {
  const expiresAt = new Map(sessions.map(({ id, expires_at }) => [id, expires_at]));
  const ends = new Map<string, string>();
  for (const { answer } of exchanges.filter(({ path, status }) => status === 201 && !isPage(path))) {
    const { id = '', hostedUrl } = JSON.parse(answer ?? '{}') as { id?: string; hostedUrl?: string };
    const end = expiresAt.get(id);
    if (hostedUrl && end) ends.set(new URL(hostedUrl).pathname, end);
  }
  return ends;
}

const isPage = (path: string) => path.startsWith('/pay/');
