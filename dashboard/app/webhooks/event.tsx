import { useMay } from '../api/at.ts';
import { useChange, useRead } from '../api/use.ts';
import { Button } from '../ui/button.tsx';
import { Copy } from '../ui/copy.tsx';
import { Card, Loading, Page } from '../ui/page.tsx';
import type { PageProps } from '../ui/page-props.ts';
import { ProblemNote } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { words } from '../words/words.ts';
import { Attempts } from './attempts.tsx';
import { Deliveries } from './events.tsx';

export function Event({ id }: PageProps) {
  const path = { eventId: id };
  const { data, error } = useRead('showWebhookEvent', { path }, { live: true });
  const resend = useChange('resendWebhookEvent');
  const mayResend = useMay('resend_events');
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  return (
    <Page
      title={data.type}
      actions={
        mayResend &&
        data.deliveries.length > 0 && (
          <Button busy={resend.isPending} onClick={() => resend.mutate({ path, body: {} })}>
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
      <ProblemNote error={resend.error ?? error} />
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
          <Attempts eventId={id} />
        </Card>
      </div>
    </Page>
  );
}

/** Shown indented, although every delivery sends it on one line. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
