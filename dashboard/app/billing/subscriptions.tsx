import { Link } from 'wouter-preact';
import type { Operations, Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Export } from '../payments/export.tsx';
import { Period, useListFilter } from '../payments/period.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { StatusFilter } from '../ui/status-filter.tsx';
import type { Column } from '../ui/table.tsx';
import { isolated, money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { nextText } from './subscription-text.ts';

type Subscription = Schemas['FoundSubscription'];
type Query = Operations['searchSubscriptions']['query'];

const TONES: Readonly<Record<Subscription['status'], Tone>> = {
  incomplete: 'calm',
  trialing: 'good',
  active: 'good',
  past_due: 'bad',
  cancelled: 'calm',
  expired: 'calm',
  paused: 'wait',
};

export function Subscriptions() {
  const { searched: filter, cursor } = useListFilter<NonNullable<Query['status']>>();
  const query = useRead('searchSubscriptions', { query: { ...filter, cursor } }, { live: !cursor });
  return (
    <Page
      title={words.shell.pages.subscriptions}
      actions={<Export list="exportSubscriptions" filter={filter} />}
    >
      <List<Subscription>
        label={words.shell.pages.subscriptions}
        query={query}
        keyOf={({ id }) => id}
        searchHint={words.subscriptions.search}
        filterNames={['status', 'from', 'to']}
        filters={
          <>
            <StatusFilter options={words.subscriptions.statuses} />
            <Period />
          </>
        }
        href={({ id }) => `/subscriptions/${id}`}
        columns={subscriptionColumns()}
        empty={
          <Empty title={words.subscriptions.empty}>
            <p>{words.subscriptions.emptyText}</p>
          </Empty>
        }
      />
    </Page>
  );
}

export const subscriptionColumns = (): readonly Column<Subscription>[] => [
  {
    title: words.payments.customer,
    show: ({ id, customer }) => (
      <Link href={`/subscriptions/${id}`} class="strong">
        {customer.email ?? customer.name ?? id}
      </Link>
    ),
  },
  { title: words.common.status, show: ({ status }) => <SubscriptionStatus status={status} /> },
  {
    title: words.subscriptions.plan,
    show: ({ plan, quantity }) => (quantity > 1 ? `${quantity} × ${isolated(plan.name)}` : plan.name),
  },
  {
    title: words.common.amount,
    show: ({ amount, currency }) => money(amount, currency),
    numeric: true,
    wide: true,
  },
  { title: words.subscriptions.next, show: nextText, wide: true },
];

export function SubscriptionStatus({ status }: Pick<Subscription, 'status'>) {
  return <Badge tone={TONES[status]}>{words.subscriptions.statuses[status]}</Badge>;
}
