import { Link } from 'wouter-preact';
import { useAt } from '../api/at.ts';
import type { Operations, Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Copy } from '../ui/copy.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { StatusFilter } from '../ui/status-filter.tsx';
import { Time } from '../ui/time.tsx';
import { useUrlState } from '../ui/url-state.ts';
import { money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { Export } from './export.tsx';
import { Period, usePeriod } from './period.tsx';
import { RefundStatus } from './status.tsx';
import { PaymentTabs } from './tabs.tsx';

type Refund = Schemas['FoundRefund'];
type Query = Operations['searchRefunds']['query'];

export function Refunds() {
  const { environment } = useAt();
  const [filterOf] = useUrlState();
  const status = (filterOf('status') || undefined) as Query['status'];
  const filter: Query = { environment, status, ...usePeriod() };
  const cursor = filterOf('cursor') || undefined;
  const query = useRead('searchRefunds', { query: { ...filter, cursor } }, { live: !cursor });
  return (
    <Page title={words.shell.pages.payments} actions={<Export list="exportRefunds" filter={filter} />}>
      <PaymentTabs />
      <List<Refund>
        label={words.payments.refunds}
        query={query}
        keyOf={({ id }) => id}
        href={(row) => `/payments/${row.payment_id}`}
        filterNames={['status', 'from', 'to']}
        filters={
          <>
            <StatusFilter options={words.payments.refundStatus} />
            <Period />
          </>
        }
        columns={[
          {
            title: words.common.amount,
            show: ({ payment_id: id, amount, currency }) => (
              <Link href={`/payments/${id}`} class="strong">
                {money(amount, currency)}
              </Link>
            ),
            numeric: true,
          },
          {
            title: words.common.status,
            show: ({ status: now }) => <RefundStatus status={now} />,
          },
          { title: words.refund.reason, show: ({ reason }) => reason ?? words.common.none, wide: true },
          {
            title: words.payments.processorId,
            show: ({ rail_refund_id: id }) => (id ? <Copy value={id} /> : words.common.none),
            wide: true,
          },
          { title: words.payments.when, show: (row) => <Time at={row.created_at} /> },
        ]}
        empty={
          <Empty title={words.payments.emptyRefunds}>
            <p>{words.payments.emptyRefundsText}</p>
          </Empty>
        }
      />
    </Page>
  );
}
