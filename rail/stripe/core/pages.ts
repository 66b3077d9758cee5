/** Iterates over Stripe's lists, page by page. */
import type { Answer } from './call.ts';

export const PAGE_SIZE = 100;

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
}

export interface PageQuery {
  readonly limit: number;
  readonly starting_after?: string;
}

/** @param enough stops paging once it returns true for the objects found so far */
export async function allPages<Item extends { readonly id: string }>(
  ask: (page: PageQuery) => Promise<Answer<Page<Item>>>,
  enough: (found: readonly Item[]) => boolean = () => false,
): Promise<Answer<readonly Item[]>> {
  const found: Item[] = [];
  for (let after: string | undefined; ; ) {
    const answer = await ask({ limit: PAGE_SIZE, ...(after && { starting_after: after }) });
    if (answer.kind !== 'answer') return answer;
    const { data, has_more: more } = answer.value;
    found.push(...data);
    after = data.at(-1)?.id;
    if (!more || !after || enough(found)) return { kind: 'answer', value: found };
  }
}
