import { useState } from 'preact/hooks';
import { useAt, useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { paymentColumns } from '../payments/columns.tsx';
import { Button } from '../ui/button.tsx';
import { Copy } from '../ui/copy.tsx';
import { Newest } from '../ui/newest.tsx';
import { Card, Fact, Facts, Loading, Page } from '../ui/page.tsx';
import type { PageProps } from '../ui/page-props.ts';
import { notHere, ProblemNote } from '../ui/problem.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { checkoutColumns } from './checkouts.tsx';
import { EditCustomer } from './edit-customer.tsx';
import { invoiceColumns } from './invoices.tsx';
import { termsOf } from './subscription-text.ts';
import { subscriptionColumns } from './subscriptions.tsx';

const LATEST = 5;

export function Customer({ id }: PageProps) {
  const { environment } = useAt();
  const mayEdit = useMay('serve_subscribers');
  const [edited, setEdited] = useState<Schemas['FoundCustomer'] | null>(null);
  const query = { environment, q: id, limit: LATEST };
  const { data, error, refetch, isRefetching } = useRead('searchCustomers', { query });
  const payments = useRead('searchPayments', { query }, { live: true });
  const subscriptions = useRead('searchSubscriptions', { query }, { live: true });
  const invoices = useRead('searchInvoices', { query });
  const checkouts = useRead('searchCheckouts', { query });
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  const customer = data.data.find((each) => each.id === id);
  if (!customer) return <ProblemNote error={notHere('customer')} />;
  // Refetch first: all fields are saved together, and stale values on an open page must not overwrite newer ones.
  const edit = async () => {
    const fresh = await refetch();
    setEdited(fresh.isSuccess ? (fresh.data.data.find((each) => each.id === id) ?? null) : null);
  };
  const of = (list: 'subscriptions' | 'payments' | 'invoices' | 'checkouts') => ({
    title: words.customers[list],
    list,
    filters: { q: id },
    nothing: words.customers.nothing,
  });
  return (
    <Page title={customer.email ?? customer.name ?? id}>
      <ProblemNote error={error} />
      <Card
        title={words.customers.details}
        actions={
          mayEdit && (
            <Button busy={isRefetching} onClick={() => void edit()}>
              {words.customers.edit}
            </Button>
          )
        }
      >
        <Facts>
          <Fact name={words.common.id}>
            <Copy value={id} />
          </Fact>
          <Fact name={words.common.name}>{customer.name ?? words.common.none}</Fact>
          <Fact name={words.customers.address}>{addressOf(customer) || words.common.none}</Fact>
          <Fact name={words.customers.taxId}>
            {[customer.tax_value, customer.tax_type && `(${customer.tax_type})`].filter(Boolean).join(' ') ||
              words.common.none}
          </Fact>
          <Fact name={words.customers.reference}>
            {customer.external_customer_id ? (
              <Copy value={customer.external_customer_id} />
            ) : (
              words.common.none
            )}
          </Fact>
          <Fact name={words.customers.paid}>{money(customer.paid_amount, customer.currency)}</Fact>
          <Fact name={words.customers.lastPaid}>
            {customer.last_paid_at ? <Time at={customer.last_paid_at} /> : words.common.none}
          </Fact>
          <Fact name={words.common.created}>
            <Time at={customer.created_at} />
          </Fact>
        </Facts>
      </Card>
      {edited && <EditCustomer customer={edited} onClose={() => setEdited(null)} />}
      <Newest
        {...of('subscriptions')}
        query={subscriptions}
        columns={[...subscriptionColumns(), termsColumn()]}
      />
      <Newest {...of('payments')} query={payments} columns={ofCustomer(paymentColumns())} />
      <Newest {...of('invoices')} query={invoices} columns={ofCustomer(invoiceColumns())} />
      <Newest {...of('checkouts')} query={checkouts} columns={ofCustomer(checkoutColumns())} />
    </Page>
  );
}

function addressOf({ billing_details: address }: Schemas['FoundCustomer']): string {
  const { line1, line2, postal_code, city, region, country } = address ?? {};
  const place = [postal_code, city].filter(Boolean).join(' ');
  return [line1, line2, place, region, country].filter(Boolean).join(', ');
}

const termsColumn = (): Column<Schemas['FoundSubscription']> => ({
  title: words.subscriptions.terms,
  show: (row) => {
    const terms = termsOf(row);
    return terms.length > 0 ? terms.map((term) => <p key={term}>{term}</p>) : words.common.none;
  },
  wide: true,
});

/** The columns except the customer, who is the same on each row. */
const ofCustomer = <Row,>(columns: readonly Column<Row>[]) =>
  columns.filter(({ title }) => title !== words.payments.customer);
