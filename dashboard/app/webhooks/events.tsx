import { Link } from 'wouter-preact';
import { useAt } from '../api/at.ts';
import type { Operations, Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Period, usePeriod } from '../payments/period.tsx';
import { Badge } from '../ui/badge.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { StatusFilter } from '../ui/status-filter.tsx';
import { Time } from '../ui/time.tsx';
import { useUrlState } from '../ui/url-state.ts';
import { words } from '../words/words.ts';
import { EVENT_TYPES } from './event-types.ts';
import { WebhookTabs } from './tabs.tsx';
import { TypeName } from './type-name.tsx';

type LoggedEvent = Schemas['WebhookLogEvent'];
type Query = Operations['listWebhookEvents']['query'];

const TONES = { pending: 'wait', succeeded: 'good', exhausted: 'bad', held: 'calm' } as const;

export function Events() {
  const { environment } = useAt();
  const [filterOf, set] = useUrlState();
  const cursor = filterOf('cursor') || undefined;
  const filter: Query = {
    environment,
    cursor,
    type: (filterOf('type') || undefined) as Query['type'],
    status: (filterOf('status') || undefined) as Query['status'],
    ...usePeriod(),
    limit: 25,
  };
  const query = useRead('listWebhookEvents', { query: filter }, { live: !cursor });
  return (
    <Page title={words.shell.pages.webhooks}>
      <WebhookTabs />
      <List<LoggedEvent>
        label={words.webhooks.events}
        query={query}
        keyOf={({ id }) => id}
        href={({ id }) => `/webhooks/events/${id}`}
        filterNames={['type', 'status', 'from', 'to']}
        filters={
          <>
            <select
              aria-label={words.webhooks.type}
              value={filterOf('type')}
              onChange={({ currentTarget }) => set({ type: currentTarget.value, cursor: '' })}
            >
              <option value="">{words.webhooks.anyType}</option>
              {EVENT_TYPES.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </select>
            <StatusFilter options={words.webhooks.deliveryStatus} />
            <Period />
          </>
        }
        columns={[
          {
            title: words.webhooks.type,
            show: ({ id, type }) => (
              <Link href={`/webhooks/events/${id}`}>
                <TypeName type={type} />
              </Link>
            ),
          },
          { title: words.webhooks.delivery, show: (row) => <Deliveries event={row} /> },
          { title: words.webhooks.recorded, show: (row) => <Time at={row.recorded_at} /> },
          { title: words.common.id, show: ({ id }) => <code>{id}</code>, wide: true },
        ]}
        empty={
          <Empty title={words.webhooks.emptyEvents}>
            <p>{words.webhooks.emptyEventsText}</p>
          </Empty>
        }
      />
    </Page>
  );
}

export function Deliveries({ event: { deliveries } }: { readonly event: Pick<LoggedEvent, 'deliveries'> }) {
  if (deliveries.length === 0) return <span class="muted">{words.webhooks.noDelivery}</span>;
  return (
    <>
      {deliveries.map(({ endpoint_id: id, status }) => (
        <Badge key={id} tone={TONES[status]}>
          {words.webhooks.deliveryStatus[status]}
        </Badge>
      ))}
    </>
  );
}
