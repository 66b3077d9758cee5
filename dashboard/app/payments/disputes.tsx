import type { Operations, Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Badge } from '../ui/badge.tsx';
import { Copy } from '../ui/copy.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { words } from '../words/words.ts';
import { Export } from './export.tsx';
import { useListFilter } from './period.tsx';
import { RowsOfPayments } from './rows-of-payments.tsx';
import { disputeReason } from './status.tsx';
import { PaymentTabs } from './tabs.tsx';

type Dispute = Schemas['FoundDispute'];
type Query = Operations['searchDisputes']['query'];

const TONES = { open: 'wait', won: 'good', lost: 'bad' } as const;

export function Disputes() {
  const { filter, cursor } = useListFilter<NonNullable<Query['status']>>();
  const query = useRead('searchDisputes', { query: { ...filter, cursor } }, { live: !cursor });
  return (
    <Page title={words.shell.pages.payments} actions={<Export list="exportDisputes" filter={filter} />}>
      <PaymentTabs />
      <p class="intro">{words.payments.disputesIntro}</p>
      <RowsOfPayments<Dispute>
        label={words.payments.disputes}
        query={query}
        statuses={words.payments.disputeStatus}
        columns={[
          {
            title: words.common.status,
            show: ({ status: now }) => <Badge tone={TONES[now]}>{words.payments.disputeStatus[now]}</Badge>,
          },
          { title: words.payments.disputeReason, show: ({ reason }) => disputeReason(reason), wide: true },
          {
            title: words.payments.processorId,
            show: ({ rail_dispute_id: id }) => <Copy value={id} />,
            wide: true,
          },
          {
            title: words.payments.evidenceDue,
            show: ({ status: now, evidence_due_by: due }) =>
              now === 'open' && due ? <Time at={due} /> : words.common.none,
          },
          { title: words.payments.opened, show: (row) => <Time at={row.opened_at} />, wide: true },
        ]}
        empty={
          <Empty title={words.payments.emptyDisputes}>
            <p>{words.payments.emptyDisputesText}</p>
          </Empty>
        }
      />
    </Page>
  );
}
