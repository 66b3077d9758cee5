import type { ComponentChildren } from 'preact';
import { useLocation } from 'wouter-preact';

export interface Column<Row> {
  readonly title: string;
  readonly show: (row: Row) => ComponentChildren;
  readonly numeric?: boolean;
  /** Hidden in a narrow table, but shown on phones, where each row is a card. */
  readonly wide?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** A row's target. The first cell contains the link; a click anywhere on the row follows it. */
  readonly href?: (row: Row) => string;
  readonly keyOf: (row: Row) => string;
}

/** On a phone, each row is a card whose lines are the cells with their columns' titles. */
export function Table<Row>({ label, columns, rows, href, keyOf }: TableProps<Row>) {
  const [, go] = useLocation();
  const follow = (row: Row) => (event: MouseEvent) => {
    const selecting = String(getSelection()) !== '';
    if (!href || selecting || (event.target as Element).closest('a, button')) return;
    go(href(row));
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls sideways on a narrow screen.
    <section class="table" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, numeric, wide }) => (
              <th key={title} scope="col" class={classOf(numeric, wide)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={href ? 'leads' : undefined} onClick={follow(row)}>
              {columns.map(({ title, show, numeric, wide }) => (
                <td key={title} class={classOf(numeric, wide)} data-title={title}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function classOf(numeric = false, wide = false): string {
  return [numeric && 'numeric', wide && 'wide'].filter(Boolean).join(' ');
}
