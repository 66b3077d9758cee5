/** A month's summary for the accountant: invoices less credit notes, by tax rate. */
import { useAt } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Export } from '../payments/export.tsx';
import { localDay } from '../ui/days.ts';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import type { Column } from '../ui/table.tsx';
import { useUrlState } from '../ui/url-state.ts';
import { money, percent } from '../words/format.ts';
import { words } from '../words/words.ts';
import { InvoiceTabs } from './invoice-tabs.tsx';

type Row = Schemas['TaxSummaryRow'];

export function Taxes() {
  const { environment } = useAt();
  const [filterOf, set] = useUrlState();
  const month = filterOf('month') || thisMonth();
  const filter = { environment, month };
  const { data, error, isPlaceholderData } = useRead('showTaxSummary', { query: filter });
  // Another month's sums would be mistaken for those of the chosen month.
  const query = { data: isPlaceholderData ? undefined : data, error };
  return (
    <Page title={words.shell.pages.invoices} actions={<Export list="exportTaxSummary" filter={filter} />}>
      <InvoiceTabs />
      <p class="intro">{words.taxes.intro}</p>
      <List<Row>
        label={words.taxes.title}
        query={query}
        keyOf={(row) => `${row.currency} ${row.tax_rate}`}
        filters={
          <label class="day">
            {words.taxes.month}
            <input
              type="month"
              value={month}
              onChange={({ currentTarget }) => set({ month: currentTarget.value })}
            />
          </label>
        }
        columns={columns()}
        empty={<Empty title={words.taxes.empty} />}
      />
    </Page>
  );
}

const columns = (): readonly Column<Row>[] => [
  { title: words.taxes.rate, show: (row) => <span class="strong">{percent(row.tax_rate / 100)}</span> },
  { title: words.taxes.invoiced, show: (row) => money(row.invoiced.gross, row.currency), numeric: true },
  { title: words.taxes.credited, show: (row) => money(row.credited.gross, row.currency), numeric: true },
  { title: words.taxes.net, show: (row) => money(row.total.net, row.currency), numeric: true },
  { title: words.taxes.tax, show: (row) => money(row.total.tax, row.currency), numeric: true },
  { title: words.taxes.gross, show: (row) => money(row.total.gross, row.currency), numeric: true },
];

const thisMonth = () => localDay(Date.now()).slice(0, 'yyyy-mm'.length);
