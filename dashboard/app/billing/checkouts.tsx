import { Link } from 'wouter-preact';
import type { Operations, Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Export } from '../payments/export.tsx';
import { Period, useListFilter } from '../payments/period.tsx';
import { DisputeMark } from '../payments/status.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { StatusFilter } from '../ui/status-filter.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { money } from '../words/format.ts';
import { words } from '../words/words.ts';

type Checkout = Schemas['FoundCheckout'];
type Query = Operations['searchCheckouts']['query'];

const TONES: Readonly<Record<Checkout['state'], Tone>> = {
  created: 'calm',
  processing: 'wait',
  requires_action: 'wait',
  reconciliation_required: 'wait',
  succeeded: 'good',
  failed: 'bad',
};

export function Checkouts() {
  const { searched: filter, cursor } = useListFilter<NonNullable<Query['status']>>();
  const query = useRead('searchCheckouts', { query: { ...filter, cursor } }, { live: !cursor });
  return (
    <Page title={words.shell.pages.checkouts} actions={<Export list="exportCheckouts" filter={filter} />}>
      <List<Checkout>
        label={words.shell.pages.checkouts}
        query={query}
        keyOf={({ id }) => id}
        searchHint={words.checkouts.search}
        filterNames={['status', 'from', 'to']}
        filters={
          <>
            <StatusFilter options={words.checkouts.statuses} />
            <Period />
          </>
        }
        href={({ id }) => `/checkouts/${id}`}
        columns={checkoutColumns()}
        empty={
          <Empty title={words.checkouts.empty}>
            <p>{words.checkouts.emptyText}</p>
          </Empty>
        }
      />
    </Page>
  );
}

export const checkoutColumns = (): readonly Column<Checkout>[] => [
  {
    title: words.common.amount,
    show: ({ id, amount, currency }) => (
      <Link href={`/checkouts/${id}`} class="strong">
        {money(amount, currency)}
      </Link>
    ),
    numeric: true,
  },
  { title: words.common.status, show: (row) => <CheckoutState checkout={row} /> },
  { title: words.checkouts.product, show: (row) => row.product_name ?? words.common.none, wide: true },
  {
    title: words.payments.customer,
    show: ({ customer }) => customer.email ?? customer.name ?? words.common.none,
  },
  {
    title: words.checkouts.reference,
    show: (row) => row.merchant_reference ?? words.common.none,
    wide: true,
  },
  { title: words.common.created, show: (row) => <Time at={row.created_at} />, wide: true },
];

export function CheckoutState({
  checkout: { state, failure_reason: reason, payment_dispute_status: dispute },
}: {
  readonly checkout: Checkout;
}) {
  return (
    <>
      <Badge tone={TONES[state]}>{words.checkouts.statuses[state]}</Badge> <DisputeMark status={dispute} />
      {reason && <span class="small muted">{` ${words.checkouts.reasons[reason]}`}</span>}
    </>
  );
}
