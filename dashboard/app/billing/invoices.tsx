import { Link } from 'wouter-preact';
import type { Operations, Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Export } from '../payments/export.tsx';
import { Period, useListFilter } from '../payments/period.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { PdfLink } from '../ui/pdf-link.tsx';
import { Filter, StatusFilter } from '../ui/status-filter.tsx';
import type { Column } from '../ui/table.tsx';
import { useUrlState } from '../ui/url-state.ts';
import { dateOf, money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { numberOf } from './invoice-number.ts';
import { InvoiceTabs } from './invoice-tabs.tsx';

type Invoice = Schemas['Invoice'];
type Query = Operations['searchInvoices']['query'];

const TONES: Readonly<Record<Invoice['status'], Tone>> = {
  draft: 'calm',
  open: 'wait',
  created: 'good',
  void: 'calm',
  uncollectible: 'bad',
  payment_failed: 'bad',
};

export function useCodes(): 'true' | undefined {
  const [filterOf] = useUrlState();
  return filterOf('prints_codes') === 'true' ? 'true' : undefined;
}

export function Invoices() {
  const { searched, cursor } = useListFilter<NonNullable<Query['status']>>();
  const filter = { ...searched, prints_codes: useCodes() };
  const query = useRead('searchInvoices', { query: { ...filter, cursor } }, { live: !cursor });
  return (
    <Page title={words.shell.pages.invoices} actions={<Export list="exportInvoices" filter={filter} />}>
      <InvoiceTabs />
      <List<Invoice>
        label={words.shell.pages.invoices}
        query={query}
        keyOf={({ id }) => id}
        searchHint={words.invoices.search}
        filterNames={['status', 'prints_codes', 'from', 'to']}
        filters={
          <>
            <StatusFilter options={words.invoices.statuses} />
            <CodesFilter />
            <Period />
          </>
        }
        href={({ id }) => `/invoices/${id}`}
        columns={invoiceColumns()}
        empty={
          <Empty title={words.invoices.empty}>
            <p>{words.invoices.emptyText}</p>
          </Empty>
        }
      />
    </Page>
  );
}

/** Filters for documents whose PDF prints codes instead of characters. */
export function CodesFilter() {
  return (
    <Filter
      name="prints_codes"
      label={words.invoices.pdf}
      any={words.invoices.anyPdf}
      options={{ true: words.invoices.printsCodes }}
    />
  );
}

export const invoiceColumns = (): readonly Column<Invoice>[] => [
  {
    title: words.invoices.number,
    show: (row) => (
      <Link href={`/invoices/${row.id}`} class="strong">
        {numberOf(row)}
      </Link>
    ),
  },
  { title: words.common.status, show: ({ status }) => <InvoiceStatus status={status} /> },
  { title: words.common.amount, show: (row) => money(totalOf(row), row.currency), numeric: true },
  {
    title: words.payments.customer,
    show: ({ customer }) => customer.email ?? customer.name ?? words.common.none,
  },
  {
    title: words.invoices.issued,
    show: (row) => (row.issued_on ? dateOf(row.issued_on) : words.common.none),
    wide: true,
  },
  {
    title: words.invoices.pdf,
    show: (row) =>
      row.pdf_url && (
        <PdfLink href={row.pdf_url} aria-label={`PDF ${row.number}`}>
          {words.invoices.pdf}
        </PdfLink>
      ),
  },
];

export function InvoiceStatus({ status }: Pick<Invoice, 'status'>) {
  return <Badge tone={TONES[status]}>{words.invoices.statuses[status]}</Badge>;
}

export function totalOf({ line_items: lines }: Invoice): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}
