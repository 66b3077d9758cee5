/** Explains a subject to an operator: the one answer behind `npm run ops -- why` and GET /v1/operations/subjects/:id. */
import { fittingCommands } from '../../contract/operations/fitting-commands.ts';
import { type OperatorLinks, withLinks, workflowUrl } from '../../contract/operations/incidents.ts';
import { type Explanation, type Subject, stateInWords } from '../../contract/operations/subjects.ts';
import type { Db } from '../core/pool.ts';
import { answerInWords, factsOf } from './explain.ts';
import { listIncidents } from './incidents.ts';

/** @param withPeople whether the history names who did what, as the audit log does */
export async function explain(
  db: Db,
  subject: Subject,
  links: OperatorLinks,
  withPeople = true,
): Promise<Explanation> {
  const { related, history, railAnswers, nextAt } = await factsOf(db, subject, withPeople);
  const about = [subject.id, ...related.map(({ id }) => id)];
  const incidents = (await listIncidents(db, { merchantId: subject.merchant_id, about })).map((found) =>
    withLinks(found, links),
  );
  const [last] = railAnswers;
  const { means, byItself } = stateInWords(subject.kind, subject.state);
  return {
    subject,
    means,
    by_itself: byItself,
    next_at: nextAt,
    rail_said: last ? { at: last.at, words: answerInWords(last) } : null,
    incidents,
    history: [...history],
    related: [...related],
    commands: fittingCommands(subject, incidents),
    workflow_url: workflowUrl(links, workflowOf(subject, related)),
  };
}

/** A payment's workflow is its session's or subscription's. */
function workflowOf({ kind, id }: Subject, related: readonly { kind: string; id: string }[]): string | null {
  if (['session', 'subscription', 'refund', 'endpoint'].includes(kind)) return id;
  const owner = related.find((each) => each.kind === 'session' || each.kind === 'subscription');
  return owner?.id ?? null;
}
