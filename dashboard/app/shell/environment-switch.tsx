import { Link } from 'wouter-preact';
import { type Environment, SEGMENT_OF, useAt } from '../api/at.ts';
import { BASE } from '../api/config.ts';
import { words } from '../words/words.ts';

const ORDER: readonly Environment[] = ['sandbox', 'production'];

/**
 * Always shows both names, with the current one filled. On an object's page the switch leads to the list; on a page
 * that serves both environments, to the first page.
 */
export function EnvironmentSwitch({ both }: { readonly both: boolean }) {
  const { merchantId, environment } = useAt();
  const here = both ? '' : (location.pathname.slice(BASE.length).split('/')[3] ?? '');
  return (
    <fieldset class="environments">
      <legend class="visually-hidden">{words.common.environment}</legend>
      {ORDER.map((each) => (
        <Link
          key={each}
          href={`~${BASE}/${merchantId}/${SEGMENT_OF[each]}/${here}`}
          class={each}
          aria-current={!both && each === environment ? 'true' : undefined}
        >
          {words.common[each]}
        </Link>
      ))}
    </fieldset>
  );
}
