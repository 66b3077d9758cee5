import { Link } from 'wouter-preact';
import { useAt } from '../api/at.ts';
import type { Operations, Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Badge } from '../ui/badge.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { StatusFilter } from '../ui/status-filter.tsx';
import { Time } from '../ui/time.tsx';
import { useUrlState } from '../ui/url-state.ts';
import { money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { Export } from './export.tsx';
import { Period, usePeriod } from './period.tsx';
import { PaymentTabs } from './tabs.tsx';

type Dispute = Schemas['FoundDispute'];
type Query = Operations['searchDisputes']['query'];

const TONES = { open: 'wait', won: 'good', lost: 'bad' } as const;

export function Disputes() {
  const { environment } = useAt();
  const [filterOf] = useUrlState();
  const status = (filterOf('status') || undefined) as Query['status'];
  const filter: Query = { environment, status, ...usePeriod() };
  const cursor = filterOf('cursor') || undefined;
  const query = useRead('searchDisputes', { query: { ...filter, cursor } }, { live: !cursor });
  return (
    <Page title={words.shell.pages.payments} actions={<Export list="exportDisputes" filter={filter} />}>
      <PaymentTabs />
      <p class="intro">{words.payments.disputesIntro}</p>
      <List<Dispute>
        label={words.payments.disputes}
        query={query}
        keyOf={({ id }) => id}
        href={(row) => `/payments/${row.payment_id}`}
        filterNames={['status', 'from', 'to']}
        filters={
          <>
            <StatusFilter options={words.payments.disputeStatus} />
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
            show: ({ status: now }) => <Badge tone={TONES[now]}>{words.payments.disputeStatus[now]}</Badge>,
          },
          { title: words.payments.disputeReason, show: ({ reason }) => <code>{reason}</code>, wide: true },
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
