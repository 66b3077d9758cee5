import { Link } from 'wouter-preact';
import type { Operations, Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Copy } from '../ui/copy.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { words } from '../words/words.ts';
import { Export } from './export.tsx';
import { useListFilter } from './period.tsx';
import { RowsOfPayments } from './rows-of-payments.tsx';
import { DisputeMark, RefundStatus } from './status.tsx';
import { PaymentTabs } from './tabs.tsx';

type Refund = Schemas['FoundRefund'];
type Query = Operations['searchRefunds']['query'];

export function Refunds() {
  const { filter, cursor } = useListFilter<NonNullable<Query['status']>>();
  const query = useRead('searchRefunds', { query: { ...filter, cursor } }, { live: !cursor });
  return (
    <Page title={words.shell.pages.payments} actions={<Export list="exportRefunds" filter={filter} />}>
      <PaymentTabs />
      <RowsOfPayments<Refund>
        label={words.payments.refunds}
        query={query}
        statuses={words.payments.refundStatus}
        columns={[
          {
            title: words.common.status,
            show: ({ status: now, payment_dispute_status: dispute }) => (
              <>
                <RefundStatus status={now} /> <DisputeMark status={dispute} />
              </>
            ),
          },
          {
            title: words.payments.creditNote,
            show: ({ credit_note: note }) =>
              note ? (
                <Link href={`/invoices/credit-notes/${note.id}`}>{note.number}</Link>
              ) : (
                words.common.none
              ),
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
