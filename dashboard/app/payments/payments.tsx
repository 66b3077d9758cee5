import type { Operations } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { StatusFilter } from '../ui/status-filter.tsx';
import { words } from '../words/words.ts';
import { paymentColumns } from './columns.tsx';
import { Export } from './export.tsx';
import { Period, useListFilter } from './period.tsx';
import { PaymentTabs } from './tabs.tsx';

type Query = Operations['searchPayments']['query'];

export function Payments() {
  const { searched: filter, cursor } = useListFilter<NonNullable<Query['status']>>();
  const query = useRead('searchPayments', { query: { ...filter, cursor } }, { live: !cursor });
  return (
    <Page title={words.shell.pages.payments} actions={<Export list="exportPayments" filter={filter} />}>
      <PaymentTabs />
      <List
        label={words.shell.pages.payments}
        query={query}
        columns={paymentColumns()}
        href={({ id }) => `/payments/${id}`}
        keyOf={({ id }) => id}
        searchHint={words.payments.search}
        filterNames={['status', 'from', 'to']}
        filters={
          <>
            <StatusFilter options={words.paymentStatus} />
            <Period />
          </>
        }
        empty={
          <Empty title={words.payments.empty}>
            <p>{words.payments.emptyText}</p>
          </Empty>
        }
      />
    </Page>
  );
}
