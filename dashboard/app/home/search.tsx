/** Searches every kind of object with its own search, and shows the newest few matches of each. */
import { Link } from 'wouter-preact';
import { useAt } from '../api/at.ts';
import { useRead } from '../api/use.ts';
import { checkoutColumns } from '../billing/checkouts.tsx';
import { creditNoteColumns } from '../billing/credit-notes.tsx';
import { customerColumns } from '../billing/customers.tsx';
import { invoiceColumns } from '../billing/invoices.tsx';
import { subscriptionColumns } from '../billing/subscriptions.tsx';
import { couponColumns } from '../catalogue/coupons.tsx';
import { offeringColumns } from '../catalogue/offerings.tsx';
import { productColumns } from '../catalogue/products.tsx';
import { paymentColumns } from '../payments/columns.tsx';
import { startOfDay } from '../ui/days.ts';
import { Newest } from '../ui/newest.tsx';
import { Card, Empty, Loading, Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { Table } from '../ui/table.tsx';
import { useUrlState } from '../ui/url-state.ts';
import { words } from '../words/words.ts';

const LIMIT = 5;
/** Kinds of ids that no search finds, and the path of the page to which such an id leads. */
const BY_ID: readonly (readonly [RegExp, string])[] = [
  [/^evt_\w+$/, '/webhooks/events/'],
  [/^ap_whe_\w+$/, '/webhooks/endpoints/'],
];

export function Search() {
  const [filterOf] = useUrlState();
  const typed = filterOf('q');
  return (
    <Page title={words.shell.pages.search}>
      <search class="filters">
        <SearchBox hint={words.search.hint} />
      </search>
      {typed === '' ? (
        <Empty title={words.search.empty}>
          <p>{words.search.emptyText}</p>
        </Empty>
      ) : (
        <Found key={typed} typed={typed} />
      )}
    </Page>
  );
}

function Found({ typed }: { readonly typed: string }) {
  const { environment } = useAt();
  const { q, day } = readDay(typed);
  const ofKind = { environment, q, limit: LIMIT };
  const startOf = (later: number) => day && startOfDay(day, later);
  const dated = { ...ofKind, from: startOf(0), to: startOf(1) };
  const anyDay = { enabled: !day };
  const customers = useRead('searchCustomers', { query: ofKind }, anyDay);
  const payments = useRead('searchPayments', { query: dated });
  const subscriptions = useRead('searchSubscriptions', { query: dated });
  const invoices = useRead('searchInvoices', { query: dated });
  const creditNotes = useRead('searchCreditNotes', { query: dated });
  const checkouts = useRead('searchCheckouts', { query: dated });
  const products = useRead('searchProducts', { query: { q, limit: LIMIT } }, anyDay);
  const matches = matchesOf(q, Boolean(day));
  const offerings = matches(useRead('listOfferings', {}, anyDay), ({ name }) => name);
  const coupons = matches(useRead('listCoupons', { query: { environment } }, anyDay), ({ code }) => code);
  const all = [
    customers,
    payments,
    subscriptions,
    invoices,
    creditNotes,
    checkouts,
    products,
    offerings,
    coupons,
  ];
  const byId = BY_ID.find(([form]) => form.test(typed));
  const { pages } = words.shell;
  const filters = { q, ...(day && { from: day, to: day }) };
  const of = (list: string) => ({ list, filters, nothing: null });
  return (
    <>
      {byId && <Link href={byId[1] + typed}>{words.search.open(typed)}</Link>}
      {all.some(({ isLoading }) => isLoading) && <Loading />}
      <Newest {...of('customers')} title={pages.customers} query={customers} columns={customerColumns()} />
      <Newest {...of('payments')} title={pages.payments} query={payments} columns={paymentColumns()} />
      <Newest
        {...of('subscriptions')}
        title={pages.subscriptions}
        query={subscriptions}
        columns={subscriptionColumns()}
      />
      <Newest {...of('invoices')} title={pages.invoices} query={invoices} columns={invoiceColumns()} />
      <Newest
        {...of('invoices/credit-notes')}
        title={words.creditNotes.title}
        query={creditNotes}
        columns={creditNoteColumns()}
      />
      <Newest {...of('checkouts')} title={pages.checkouts} query={checkouts} columns={checkoutColumns()} />
      <Newest {...of('products')} title={pages.products} query={products} columns={productColumns()} />
      <Newest
        {...of('offerings')}
        filters={{}}
        title={pages.offerings}
        query={offerings}
        columns={offeringColumns()}
      />
      <ProblemNote error={coupons.error} />
      {coupons.data && coupons.data.data.length > 0 && (
        <Card title={pages.coupons} actions={<Link href="/coupons">{words.lists.all}</Link>}>
          <Table
            label={pages.coupons}
            columns={couponColumns()}
            rows={coupons.data.data}
            keyOf={({ id }) => id}
          />
        </Card>
      )}
      {!byId && all.every(({ data, error, isLoading }) => !isLoading && !error && !data?.data.length) && (
        <Empty title={words.lists.nothingFound} />
      )}
    </>
  );
}

interface Whole<Row> {
  readonly data?: { readonly data: readonly Row[] };
  readonly error: unknown;
  readonly isLoading: boolean;
}

/** The first few matches in a short list, which the API returns whole. Its rows have no day to search by. */
const matchesOf =
  (q: string, isDated: boolean) =>
  <Row extends { readonly id: string }>(
    { data, error, isLoading }: Whole<Row>,
    nameOf: (row: Row) => string,
  ) => {
    const typed = q.toLowerCase();
    const isFound = (row: Row) => row.id === q || nameOf(row).toLowerCase().includes(typed);
    const found = isDated ? [] : data?.data.filter(isFound);
    const few = found && { data: found.slice(0, LIMIT), next_cursor: found[LIMIT]?.id ?? null };
    return { data: few, error, isLoading };
  };

/** Splits a trailing day from the search text, as in `4242 2026-11-28` or `ada@example.com 28.11.2026`. */
function readDay(typed: string): { readonly q: string; readonly day?: string } {
  const [, before, year, month, day] = /^(\S.*?)\s+(\d{4})-(\d\d)-(\d\d)$/.exec(typed) ?? [];
  if (before) return { q: before, day: `${year}-${month}-${day}` };
  const [, text, date, ofYear, german] = /^(\S.*?)\s+(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(typed) ?? [];
  return text ? { q: text, day: `${german}-${ofYear}-${date}` } : { q: typed };
}
