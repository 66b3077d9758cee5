import { useState } from 'preact/hooks';
import { useAt, useMay } from '../api/at.ts';
import { useChange, useRead } from '../api/use.ts';
import { Button } from '../ui/button.tsx';
import { Copy } from '../ui/copy.tsx';
import { Card, Loading, Page } from '../ui/page.tsx';
import type { PageProps } from '../ui/page-props.ts';
import { notHere, ProblemNote } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { words } from '../words/words.ts';
import { Attempts } from './attempts.tsx';
import { Deliveries } from './events.tsx';
import { Resend } from './resend.tsx';

export function Event({ id }: PageProps) {
  const path = { eventId: id };
  const { data, error } = useRead('showWebhookEvent', { path }, { live: true });
  const resend = useChange('resendWebhookEvent');
  const { environment } = useAt();
  const mayResend = useMay('resend_events');
  const endpoints = useRead('listWebhookEndpoints');
  const [asking, setAsking] = useState(false);
  const urlOf = (endpointId: string) =>
    endpoints.data?.data.find((each) => each.id === endpointId)?.url ?? endpointId;
  const send = (endpointId: string | undefined) =>
    resend.mutate({ path, body: { endpoint_id: endpointId } }, { onSuccess: () => setAsking(false) });
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  if (data.environment !== environment) return <ProblemNote error={notHere('webhook_event')} />;
  return (
    <Page
      title={data.type}
      actions={
        mayResend &&
        data.deliveries.length > 0 && (
          <Button
            busy={resend.isPending}
            onClick={() => (data.deliveries.length > 1 ? setAsking(true) : send(undefined))}
          >
            {words.webhooks.resend}
          </Button>
        )
      }
    >
      <p class="subtitle">
        <Deliveries event={data} />
        <Time at={data.recorded_at} />
        <Copy value={data.id} />
      </p>
      <ProblemNote error={(asking ? null : resend.error) ?? error} />
      {resend.isSuccess && (
        <p class="note good" role="status">
          {words.webhooks.resent}
        </p>
      )}
      <div class="columns">
        <Card title={words.webhooks.body}>
          <pre>{readable(data.body)}</pre>
        </Card>
        <Card title={words.webhooks.attempts}>
          <Attempts eventId={id} urlOf={urlOf} />
        </Card>
      </div>
      {asking && (
        <Resend
          event={data}
          urlOf={urlOf}
          busy={resend.isPending}
          error={resend.error}
          onSend={send}
          onClose={() => setAsking(false)}
        />
      )}
    </Page>
  );
}

/** The event's body, indented for reading; deliveries send it on one line. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
