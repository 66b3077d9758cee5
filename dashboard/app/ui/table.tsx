import type { ComponentChildren } from 'preact';
import { useLocation } from 'wouter-preact';

export interface Column<Row> {
  readonly title: string;
  readonly show: (row: Row) => ComponentChildren;
  readonly numeric?: boolean;
  /** true: hidden on a phone; below: shown there as a second line of the first cell. */
  readonly wide?: boolean | 'below';
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** A row's target. The first cell contains the link; a click anywhere on the row follows it. */
  readonly href?: (row: Row) => string;
  readonly keyOf: (row: Row) => string;
}

export function Table<Row>({ label, columns, rows, href, keyOf }: TableProps<Row>) {
  const [, go] = useLocation();
  const below = columns.filter(({ wide }) => wide === 'below');
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
              {columns.map(({ title, show, numeric, wide }, index) => (
                <td key={title} class={classOf(numeric, wide)}>
                  {show(row)}
                  {index === 0 &&
                    below.map((each) => <BelowFirst key={each.title}>{each.show(row)}</BelowFirst>)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The second line of a cell. An email address may wrap at its `@`. */
function BelowFirst({ children }: { readonly children: ComponentChildren }) {
  const [name, domain] = String(children).split('@');
  return <span class="below">{domain === undefined ? children : [`${name}@`, <wbr />, domain]}</span>;
}

function classOf(numeric = false, wide: Column<never>['wide'] = false): string {
  return [numeric && 'numeric', wide && 'wide'].filter(Boolean).join(' ');
}
