import { Link } from 'wouter-preact';
import { words } from '../words/words.ts';
import { Card } from './page.tsx';
import { ProblemNote } from './problem.tsx';
import { type Column, Table } from './table.tsx';

interface NewestProps<Row> {
  readonly title: string;
  /** The path of the list, and the prefix of its rows' pages. */
  readonly list: string;
  /** Filters with which the list's page shows all of these rows. */
  readonly filters: Readonly<Record<string, string>>;
  readonly query: {
    readonly data?: { readonly data: readonly Row[]; readonly next_cursor: string | null };
    readonly error: unknown;
  };
  readonly columns: readonly Column<Row>[];
  /** The text of an empty list; null hides it. */
  readonly nothing: string | null;
}

/** The newest few rows of a list, with a link to all of it. */
export function Newest<Row extends { readonly id: string }>(props: NewestProps<Row>) {
  const { title, list, filters, query, columns, nothing } = props;
  const rows = query.data?.data ?? [];
  if (rows.length === 0 && nothing === null) return <ProblemNote error={query.error} />;
  return (
    <Card
      title={title}
      actions={
        query.data?.next_cursor && (
          <Link href={`/${list}?${new URLSearchParams(filters)}`}>{words.lists.all}</Link>
        )
      }
    >
      <ProblemNote error={query.error} />
      {query.data?.data.length === 0 && <p class="muted">{nothing}</p>}
      {rows.length > 0 && (
        <Table
          label={title}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          href={({ id }) => `/${list}/${id}`}
        />
      )}
    </Card>
  );
}
