import { Link } from 'wouter-preact';
import { useAt } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Export } from '../payments/export.tsx';
import { Period, useListFilter } from '../payments/period.tsx';
import { List } from '../ui/list-page.tsx';
import { Card, Empty, Loading, Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { dateOf, money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { InvoiceTabs } from './invoice-tabs.tsx';
import { CodesFilter, useCodes } from './invoices.tsx';

type CreditNote = Schemas['CreditNote'];

export function CreditNotes() {
  const { searched, cursor } = useListFilter<never>();
  const filter = { ...searched, prints_codes: useCodes() };
  const query = useRead('searchCreditNotes', { query: { ...filter, cursor } }, { live: !cursor });
  return (
    <Page title={words.shell.pages.invoices} actions={<Export list="exportCreditNotes" filter={filter} />}>
      <InvoiceTabs />
      <List<CreditNote>
        label={words.creditNotes.title}
        query={query}
        keyOf={({ id }) => id}
        searchHint={words.creditNotes.search}
        filterNames={['prints_codes', 'from', 'to']}
        filters={
          <>
            <CodesFilter />
            <Period />
          </>
        }
        href={pathOf}
        columns={creditNoteColumns()}
        empty={
          <Empty title={words.creditNotes.empty}>
            <p>{words.creditNotes.emptyText}</p>
          </Empty>
        }
      />
    </Page>
  );
}

/** The credit notes of an invoice, in a card. */
export function CreditNotesOf({ invoiceId }: { readonly invoiceId: string }) {
  const { environment } = useAt();
  const { data, error } = useRead('searchCreditNotes', { query: { environment, q: invoiceId, limit: 100 } });
  const repeated = [words.creditNotes.corrects, words.payments.customer];
  return (
    <Card
      title={words.creditNotes.title}
      actions={
        data?.next_cursor && <Link href={`/invoices/credit-notes?q=${invoiceId}`}>{words.lists.all}</Link>
      }
    >
      <ProblemNote error={error} />
      {!data && !error && <Loading />}
      {data && (
        <Table
          label={words.creditNotes.title}
          rows={data.data}
          keyOf={({ id }) => id}
          href={pathOf}
          columns={creditNoteColumns().filter(({ title }) => !repeated.includes(title))}
        />
      )}
    </Card>
  );
}

const pathOf = ({ id }: Pick<CreditNote, 'id'>) => `/invoices/credit-notes/${id}`;

export const creditNoteColumns = (): readonly Column<CreditNote>[] => [
  {
    title: words.invoices.number,
    show: (row) => (
      <Link href={pathOf(row)} class="strong">
        {row.number}
      </Link>
    ),
  },
  {
    title: words.creditNotes.corrects,
    show: ({ invoice_id: id, invoice_number: number }) => <Link href={`/invoices/${id}`}>{number}</Link>,
  },
  { title: words.common.amount, show: ({ amount, currency }) => money(amount, currency), numeric: true },
  { title: words.creditNotes.reason, show: ({ reason }) => words.creditNotes.reasons[reason] },
  {
    title: words.payments.customer,
    show: ({ customer }) => customer.email ?? customer.name ?? words.common.none,
  },
  { title: words.invoices.issued, show: (row) => dateOf(row.issued_on), wide: true },
];
