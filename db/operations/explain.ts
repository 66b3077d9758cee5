/** Explains a subject to an operator, for `npm run ops -- why` and GET /v1/operations/subjects/:id. */
import { fittingCommands } from '../../contract/operations/fitting-commands.ts';
import { type OperatorLinks, workflowUrl } from '../../contract/operations/incidents.ts';
import { stateInWords } from '../../contract/operations/states-in-words.ts';
import type { Explanation, Subject } from '../../contract/operations/subjects.ts';
import type { Db } from '../core/pool.ts';
import { isUnconfirmed } from '../payment/rail-webhooks.ts';
import { beyondState } from './beyond-state.ts';
import { showIncidents } from './shown-incidents.ts';
import { readOperatorRequests } from './stored-requests.ts';
import { answerInWords, factsOf } from './subject-facts.ts';

const UNCONFIRMED = 'An operator settled it, and the rail has not confirmed that yet.';
const UNTIL_CONFIRMED = 'The rail is asked until it answers, and an alert is raised if it disagrees.';

/**
 * Incidents for which the row's state alone would mislead: an outcome is not recorded, money came after the end, the
 * rail or an endpoint does not answer, or a merchant's declines require proofs of work.
 */
const CONTRADICT_STATE: readonly string[] = [
  'outcome_not_recorded',
  'invoice_not_issued',
  'orphaned_charge',
  'rail_unavailable',
  'card_testing',
  'endpoint_failing',
  'endpoint_disabled',
];

/** @param withPeople whether the history names the people who acted, as the audit log does */
export async function explain(
  db: Db,
  subject: Subject,
  links: OperatorLinks,
  withPeople = true,
): Promise<Explanation> {
  const { related, history, railAnswers, nextAt } = await factsOf(db, subject, withPeople);
  const about = [subject.id, ...related.map(({ id }) => id)];
  const merchantId = subject.merchant_id === '' ? undefined : subject.merchant_id;
  const incidents = await showIncidents(db, { merchantId, about }, links, withPeople);
  const requests = await readOperatorRequests(
    db,
    subject.kind === 'request' && withPeople ? [subject.id] : [],
  );
  const [last] = railAnswers;
  const isSettled = await isUnconfirmed(db, subject.id);
  const { means: ofState, byItself } = stateInWords(subject.kind, subject.state);
  const means = (await beyondState(db, subject, nextAt)) ?? ofState;
  const contradicted = incidents.find(
    ({ kind, id, payment_id: paymentId }) =>
      // The state of a rail already says that it is unavailable.
      subject.kind !== 'rail' &&
      CONTRADICT_STATE.includes(kind) &&
      (subject.kind === 'session' || [id, paymentId].includes(subject.id)),
  );
  return {
    subject,
    means: contradicted?.means ?? (isSettled ? `${means} ${UNCONFIRMED}` : means),
    by_itself: contradicted?.by_itself ?? (isSettled ? UNTIL_CONFIRMED : byItself),
    next_at: nextAt,
    rail_said: last ? { at: last.at, words: answerInWords(last) } : null,
    request: requests.get(subject.id) ?? null,
    incidents: [...incidents],
    history: [...history],
    related: [...related],
    commands: fittingCommands(subject, incidents),
    workflow_url: workflowUrl(links, workflowOf(subject, related)) ?? incidents[0]?.links.temporal_ui ?? null,
  };
}

/** Returns the subject's workflow; for a payment, that of its session or subscription. */
function workflowOf({ kind, id }: Subject, related: readonly { kind: string; id: string }[]): string | null {
  if (['session', 'subscription', 'refund', 'endpoint'].includes(kind)) return id;
  const owner = related.find((each) => each.kind === 'session' || each.kind === 'subscription');
  return owner?.id ?? null;
}
