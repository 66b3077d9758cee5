import { Link } from 'wouter-preact';
import type { Schemas } from '../api/description.ts';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { useUrlState } from '../ui/url-state.ts';
import { money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { useOperatorRead } from './use.ts';

/** Finds any object by its id, a reference or an email address. */
export function Find() {
  const [filterOf] = useUrlState();
  const id = filterOf('q');
  const query = useOperatorRead('searchSubjects', { query: { id } }, id !== '');
  return (
    <Page title={words.operations.find}>
      <List<Schemas['OperatorSubject']>
        label={words.operations.find}
        query={id === '' ? NOTHING : query}
        keyOf={(row) => row.id}
        href={(row) => `/subjects/${row.id}`}
        searchHint={words.operations.findHint}
        columns={[
          { title: words.operations.what, show: ({ kind }) => words.operations.subjects[kind] },
          {
            title: words.common.id,
            show: (row) => (
              <Link href={`/subjects/${row.id}`} class="strong">
                {row.id}
              </Link>
            ),
          },
          { title: words.common.status, show: ({ state }) => state, wide: true },
          {
            title: words.common.amount,
            show: ({ amount, currency }) =>
              amount !== null && currency ? money(amount, currency) : words.common.none,
            numeric: true,
            wide: true,
          },
          { title: words.common.created, show: (row) => <Time at={row.created_at} />, wide: true },
        ]}
        empty={
          <Empty title={words.operations.findEmpty}>
            <p>{words.operations.findText}</p>
          </Empty>
        }
      />
    </Page>
  );
}

const NOTHING = { data: { data: [] }, error: null };
