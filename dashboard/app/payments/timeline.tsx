import { Link } from 'wouter-preact';
import type { Schemas } from '../api/description.ts';
import { exactTime, money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { declineReason, disputeReason } from './status.tsx';

type Details = Schemas['PaymentDetailsAnswer'];
type Happening = Details['timeline'][number];

const TONES: Partial<Record<Happening['what'], string>> = {
  succeeded: 'good',
  refund_succeeded: 'good',
  event_delivered: 'good',
  dispute_won: 'good',
  failed: 'bad',
  checkout_failed: 'bad',
  refund_failed: 'bad',
  dispute_opened: 'bad',
  dispute_lost: 'bad',
  delivery_failed: 'bad',
  delivery_held: 'bad',
  delivery_given_up: 'bad',
  challenge_open: 'wait',
};

/** The history as sentences, oldest first. */
export function Timeline({
  of: { timeline, currency },
}: {
  readonly of: Pick<Details, 'timeline' | 'currency'>;
}) {
  return (
    <ol class="timeline">
      {timeline.map((each) => (
        <li key={`${each.at} ${each.what} ${each.reference}`} class={TONES[each.what]}>
          <p>{words.payments.happened[each.what]}</p>
          <Detail happening={each} currency={currency} />
          <time dateTime={each.at}>{exactTime(each.at)}</time>
        </li>
      ))}
    </ol>
  );
}

function Detail({ happening, currency }: { readonly happening: Happening; readonly currency: string }) {
  const { what, reference, amount, detail } = happening;
  switch (what) {
    case 'event_recorded':
      return (
        <p>
          <Link href={`/webhooks/events/${reference}`}>
            <code>{detail}</code>
          </Link>
        </p>
      );
    case 'event_delivered':
    case 'delivery_failed':
    case 'delivery_held':
    case 'delivery_given_up':
      return <p class="muted break">{detail}</p>;
    case 'checkout_failed':
      return <p class="muted">{reasonOf(detail)}</p>;
    case 'attempt_made':
      return <p class="muted">{words.payments.attempt(detail ?? '')}</p>;
    case 'failed':
      return detail ? <p class="muted">{declineReason(detail)}</p> : null;
    case 'looked_up':
      return <p class="muted">{answerOf(detail)}</p>;
    case 'pay_clicked':
      return null;
    case 'refund_requested':
    case 'refund_succeeded':
    case 'dispute_opened':
      return (
        <p class="muted">
          {amount !== null && money(amount, currency)}
          {detail && (
            <>
              {' · '}
              <span>{what === 'dispute_opened' ? disputeReason(detail) : detail}</span>
            </>
          )}
        </p>
      );
    default:
      return null;
  }
}

function reasonOf(detail: string | null): string {
  const known: Readonly<Record<string, string>> = words.checkouts.reasons;
  return known[detail ?? ''] ?? '';
}

function answerOf(outcome: string | null): string {
  const known: Readonly<Record<string, string>> = words.payments.lookedUp;
  return known[outcome ?? ''] ?? '';
}
