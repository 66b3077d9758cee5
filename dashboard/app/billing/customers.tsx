import { Link } from 'wouter-preact';
import { useAt } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Period, usePeriod } from '../payments/period.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useUrlState } from '../ui/url-state.ts';
import { money } from '../words/format.ts';
import { words } from '../words/words.ts';

export function Customers() {
  const { environment } = useAt();
  const [filterOf] = useUrlState();
  const cursor = filterOf('cursor') || undefined;
  const filter = { environment, cursor, q: filterOf('q') || undefined, ...usePeriod() };
  const query = useRead('searchCustomers', { query: filter }, { live: !cursor });
  return (
    <Page title={words.shell.pages.customers}>
      <List<Schemas['FoundCustomer']>
        label={words.shell.pages.customers}
        query={query}
        keyOf={({ id }) => id}
        href={({ id }) => `/customers/${id}`}
        searchHint={words.customers.search}
        filterNames={['from', 'to']}
        filters={<Period />}
        columns={customerColumns()}
        empty={
          <Empty title={words.customers.empty}>
            <p>{words.customers.emptyText}</p>
          </Empty>
        }
      />
    </Page>
  );
}

export const customerColumns = (): readonly Column<Schemas['FoundCustomer']>[] => [
  {
    title: words.customers.email,
    show: ({ id, email, name }) => (
      <Link href={`/customers/${id}`} class="strong email">
        {email ?? name ?? id}
      </Link>
    ),
  },
  { title: words.common.name, show: ({ name }) => name ?? words.common.none, wide: true },
  {
    title: words.customers.reference,
    show: (row) => row.external_customer_id ?? words.common.none,
  },
  {
    title: words.customers.paid,
    show: (row) => money(row.paid_amount, row.currency),
    numeric: true,
  },
  {
    title: words.customers.lastPaid,
    show: (row) => (row.last_paid_at ? <Time at={row.last_paid_at} /> : words.common.none),
  },
  { title: words.common.created, show: (row) => <Time at={row.created_at} />, wide: true },
];
