import { useAt, useMay } from '../api/at.ts';
import { useRead } from '../api/use.ts';
import { Copy } from '../ui/copy.tsx';
import { Card, Fact, Facts, Loading, Page } from '../ui/page.tsx';
import type { PageProps } from '../ui/page-props.ts';
import { notHere, ProblemNote } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { words } from '../words/words.ts';
import { Attempts } from './attempts.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointStatus } from './endpoints.tsx';

export function Endpoint({ id }: PageProps) {
  const { data, error } = useRead('showWebhookEndpoint', { path: { endpointId: id } }, { live: true });
  const { environment } = useAt();
  const mayChange = useMay('manage_endpoints');
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  if (data.environment !== environment) return <ProblemNote error={notHere('webhook_endpoint')} />;
  return (
    <Page title={new URL(data.url).host} actions={mayChange && <EndpointActions endpoint={data} />}>
      <p class="subtitle">
        <EndpointStatus endpoint={data} />
        <span class="break">{data.url}</span>
      </p>
      <ProblemNote error={error} />
      <Card>
        <Facts>
          <Fact name={words.common.id}>
            <Copy value={data.id} />
          </Fact>
          <Fact name={words.webhooks.types}>{data.event_types?.join(', ') ?? words.webhooks.allTypes}</Fact>
          {data.standard_headers && <Fact name={words.webhooks.headers}>Standard Webhooks</Fact>}
          {data.previous_secret_until && (
            <Fact name={words.webhooks.overlap}>
              <Time at={data.previous_secret_until} />
            </Fact>
          )}
        </Facts>
      </Card>
      <Card title={words.webhooks.attempts}>
        <Attempts endpointId={data.id} />
      </Card>
    </Page>
  );
}
