import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useAt, useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { List } from '../ui/list-page.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { exactTime } from '../words/format.ts';
import { words } from '../words/words.ts';
import { AddEndpoint } from './add-endpoint.tsx';
import { WebhookTabs } from './tabs.tsx';

type Endpoint = Schemas['WebhookEndpoint'];

const ENDPOINT_TONES = { enabled: 'good', paused: 'calm', disabled: 'bad' } as const;

export function Endpoints() {
  const { environment } = useAt();
  const mayAdd = useMay('manage_endpoints');
  const [adding, setAdding] = useState(false);
  const query = useRead('listWebhookEndpoints', { query: { environment } }, { live: true });
  return (
    <Page
      title={words.shell.pages.webhooks}
      actions={
        mayAdd && (
          <Button kind="primary" onClick={() => setAdding(true)}>
            {words.webhooks.add}
          </Button>
        )
      }
    >
      <WebhookTabs />
      <List<Endpoint>
        label={words.webhooks.endpoints}
        query={query}
        keyOf={({ id }) => id}
        href={({ id }) => `/webhooks/endpoints/${id}`}
        columns={[
          {
            title: words.webhooks.url,
            show: ({ id, url }) => (
              <Link href={`/webhooks/endpoints/${id}`} class="strong">
                {url}
              </Link>
            ),
          },
          { title: words.common.status, show: (row) => <EndpointStatus endpoint={row} /> },
          {
            title: words.webhooks.types,
            show: (row) => row.event_types?.join(', ') ?? words.webhooks.allTypes,
            wide: true,
          },
          { title: words.common.created, show: (row) => <Time at={row.created_at} />, wide: true },
        ]}
        empty={
          <Empty title={words.webhooks.emptyEndpoints}>
            <p>{words.webhooks.emptyEndpointsText}</p>
          </Empty>
        }
      />
      {adding && <AddEndpoint onClose={() => setAdding(false)} />}
    </Page>
  );
}

export function EndpointStatus({ endpoint }: { readonly endpoint: Endpoint }) {
  const { status, failing_since, failing_status, failing_waiting, slow_answer_ms } = endpoint;
  return (
    <>
      <Badge tone={ENDPOINT_TONES[status]}>{words.webhooks.statuses[status]}</Badge>
      {failing_since && (
        <span class="small bad-text">
          {' '}
          {words.webhooks.failing} <time dateTime={failing_since}>{exactTime(failing_since)}</time>:{' '}
          {words.webhooks.failure(failing_status, failing_waiting ?? 0)}
        </span>
      )}
      {slow_answer_ms !== null && (
        <span class="small bad-text">
          {' '}
          {words.webhooks.slow(slow_answer_ms / 1_000, failing_waiting ?? 0)}
        </span>
      )}
    </>
  );
}
