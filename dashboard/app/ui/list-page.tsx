/** The frame of every list: search, filters, rows, and the link to older ones. */
import type { ComponentChildren } from 'preact';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Empty, Loading } from './page.tsx';
import { ProblemNote } from './problem.tsx';
import { SearchBox } from './search-box.tsx';
import { type Column, Table } from './table.tsx';
import { useUrlState } from './url-state.ts';

interface ListProps<Row> {
  readonly label: string;
  readonly query: {
    readonly data?: { readonly data: readonly Row[]; readonly next_cursor?: string | null };
    readonly error: unknown;
  };
  readonly columns: readonly Column<Row>[];
  readonly href?: (row: Row) => string;
  readonly keyOf: (row: Row) => string;
  readonly searchHint?: string;
  readonly filters?: ComponentChildren;
  /** Shown instead of the table if there are no rows, no filter and no cursor. */
  readonly empty: ComponentChildren;
  /** Names of the filters in the address. */
  readonly filterNames?: readonly string[];
}

export function List<Row>(props: ListProps<Row>) {
  const { query, searchHint, filters, filterNames = [] } = props;
  const [filterOf, set] = useUrlState();
  const names = ['q', ...filterNames];
  const filtered = names.some((name) => filterOf(name) !== '');
  const cursor = filterOf('cursor');
  const rows = query.data?.data;
  return (
    <>
      {(searchHint || filters) && (
        <search class="filters">
          {searchHint && <SearchBox hint={searchHint} />}
          {filters}
          {filtered && (
            <Button
              kind="quiet"
              onClick={() => set(Object.fromEntries([...names, 'cursor'].map((name) => [name, ''])))}
            >
              {words.lists.clear}
            </Button>
          )}
        </search>
      )}
      <ProblemNote error={query.error} />
      {!rows && !query.error && <Loading />}
      {rows &&
        rows.length === 0 &&
        (filtered || cursor ? <Empty title={words.lists.nothingFound} /> : props.empty)}
      {rows && rows.length > 0 && (
        <Table
          label={props.label}
          columns={props.columns}
          rows={rows}
          href={props.href}
          keyOf={props.keyOf}
        />
      )}
      {(cursor || query.data?.next_cursor) && (
        <nav class="pager" aria-label={words.lists.pages}>
          <Button disabled={!cursor} onClick={() => set({ cursor: '' })}>
            {words.lists.newest}
          </Button>
          <Button
            disabled={!query.data?.next_cursor}
            onClick={() => set({ cursor: query.data?.next_cursor ?? '' })}
          >
            {words.lists.older}
          </Button>
        </nav>
      )}
    </>
  );
}
