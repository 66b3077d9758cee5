import { Link } from 'wouter-preact';
import { useAt } from '../api/at.ts';
import { useRead } from '../api/use.ts';
import { paymentColumns } from '../payments/columns.tsx';
import { Copy } from '../ui/copy.tsx';
import { Card, Fact, Facts, Loading, Page } from '../ui/page.tsx';
import type { PageProps } from '../ui/page-props.ts';
import { notHere, ProblemNote } from '../ui/problem.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { words } from '../words/words.ts';
import { checkoutColumns } from './checkouts.tsx';
import { invoiceColumns } from './invoices.tsx';
import { subscriptionColumns } from './subscriptions.tsx';

const LATEST = 5;

export function Customer({ id }: PageProps) {
  const { environment } = useAt();
  const query = { environment, q: id, limit: LATEST };
  const { data, error } = useRead('searchCustomers', { query });
  const payments = useRead('searchPayments', { query }, { live: true });
  const subscriptions = useRead('searchSubscriptions', { query }, { live: true });
  const invoices = useRead('searchInvoices', { query });
  const checkouts = useRead('searchCheckouts', { query });
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  const customer = data.data.find((each) => each.id === id);
  if (!customer) return <ProblemNote error={notHere('customer')} />;
  return (
    <Page title={customer.email ?? customer.name ?? id}>
      <ProblemNote error={error} />
      <Card>
        <Facts>
          <Fact name={words.common.id}>
            <Copy value={id} />
          </Fact>
          <Fact name={words.common.name}>{customer.name ?? words.common.none}</Fact>
          <Fact name={words.customers.reference}>
            {customer.external_customer_id ? (
              <Copy value={customer.external_customer_id} />
            ) : (
              words.common.none
            )}
          </Fact>
          <Fact name={words.common.created}>
            <Time at={customer.created_at} />
          </Fact>
        </Facts>
      </Card>
      <Latest name="subscriptions" id={id} query={subscriptions} columns={subscriptionColumns()} />
      <Latest name="payments" id={id} query={payments} columns={ofCustomer(paymentColumns())} />
      <Latest name="invoices" id={id} query={invoices} columns={ofCustomer(invoiceColumns())} />
      <Latest name="checkouts" id={id} query={checkouts} columns={ofCustomer(checkoutColumns())} />
    </Page>
  );
}

/** The columns without the customer, who is the same on each row. */
const ofCustomer = <Row,>(columns: readonly Column<Row>[]) =>
  columns.filter(({ title }) => title !== words.payments.customer);

interface LatestProps<Row> {
  readonly name: 'subscriptions' | 'payments' | 'invoices' | 'checkouts';
  readonly id: string;
  readonly query: {
    readonly data?: { readonly data: readonly Row[]; readonly next_cursor: string | null };
    readonly error: unknown;
  };
  readonly columns: readonly Column<Row>[];
}

/** The newest few rows, with a link to the full list. */
function Latest<Row extends { readonly id: string }>({ name, id, query, columns }: LatestProps<Row>) {
  const rows = query.data?.data ?? [];
  return (
    <Card
      title={words.customers[name]}
      actions={query.data?.next_cursor && <Link href={`/${name}?q=${id}`}>{words.customers.all}</Link>}
    >
      <ProblemNote error={query.error} />
      {query.data?.data.length === 0 && <p class="muted">{words.customers.nothing}</p>}
      {rows.length > 0 && (
        <Table
          label={words.customers[name]}
          columns={columns}
          rows={rows}
          keyOf={(row) => row.id}
          href={(row) => `/${name}/${row.id}`}
        />
      )}
    </Card>
  );
}
