import { Link } from 'wouter-preact';
import type { Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Badge } from '../ui/badge.tsx';
import { Loading } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { words } from '../words/words.ts';
import { isLatest } from './latest-attempt.ts';

type Attempt = Schemas['WebhookLogAttempt'];

/** Attempts of one endpoint, or of one event at any endpoint. */
type AttemptsProps =
  | { readonly endpointId: string; readonly eventId?: undefined; readonly urlOf?: undefined }
  | {
      readonly endpointId?: undefined;
      readonly eventId: string;
      readonly urlOf: (endpointId: string) => string;
    };

/** Every attempt with the receiver's response, newest first. */
export function Attempts({ endpointId, eventId, urlOf }: AttemptsProps) {
  const query = { endpoint_id: endpointId, event_id: eventId, limit: 50 };
  const { data, error } = useRead('listWebhookAttempts', { query }, { live: true });
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  if (data.data.length === 0) return <p class="muted">{words.common.none}</p>;
  return (
    <ul class="rows">
      {data.data.map((attempt) => (
        <li key={`${attempt.event_id} ${attempt.endpoint_id} ${attempt.attempt}`}>
          <Badge tone={attempt.error === null ? 'good' : 'bad'}>
            {attempt.status === null ? words.webhooks.noAnswer : String(attempt.status)}
          </Badge>
          {urlOf ? (
            <>
              <span>{`${words.webhooks.attempt} ${attempt.attempt}`}</span>
              <Link href={`/webhooks/endpoints/${attempt.endpoint_id}`} class="break">
                {urlOf(attempt.endpoint_id)}
              </Link>
            </>
          ) : (
            <Link href={`/webhooks/events/${attempt.event_id}`}>{attempt.event_type}</Link>
          )}
          <span class="muted">{`${attempt.duration_ms} ms`}</span>
          <Time at={attempt.at} />
          <Outcome attempt={attempt} last={isLatest(attempt, data.data)} />
        </li>
      ))}
    </ul>
  );
}

interface OutcomeProps {
  readonly attempt: Attempt;
  /** True for the latest attempt of its delivery. */
  readonly last: boolean;
}

function Outcome({ attempt: { error, response, next_attempt_at: next }, last }: OutcomeProps) {
  return (
    <>
      {error && <span class="bad-text full break">{error}</span>}
      {response && error && <pre class="full">{response}</pre>}
      {response && !error && (
        <details class="full">
          <summary class="muted">{words.webhooks.answer}</summary>
          <pre>{response}</pre>
        </details>
      )}
      {next && last && (
        <span class="muted full">
          {words.webhooks.next}: <Time at={next} past={words.webhooks.due} />
        </span>
      )}
    </>
  );
}
