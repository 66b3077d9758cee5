/**
 * Notifies operators when incidents begin, multiply or end. Depends only on PostgreSQL, so that an outage of Temporal
 * is reported too.
 */
import type { Logger } from 'pino';
import { Agent } from 'undici';
import type { IncidentNotice } from '../../contract/operations/incident-notice.ts';
import { type FoundIncident, type OperatorLinks, withLinks } from '../../contract/operations/incidents.ts';
import { webhookRequest } from '../../contract/webhook/webhook-request.ts';
import type { Pool } from '../../db/core/pool.ts';
import {
  claimNotice,
  type DueNotice,
  noteIncidents,
  recordNoticeSent,
} from '../../db/operations/incident-notices.ts';
import { post } from '../../platform/outbound/post.ts';

/** Shorter than a claim's lease. */
const TIMEOUT_MS = 10_000;
/** After this many failures the receiver counts as down, and the remaining notices wait for the next round. */
const MOST_FAILURES_OF_ROUND = 3;

export interface OperatorsWebhook {
  readonly url: string;
  readonly secret: string;
}

export interface TellDeps {
  readonly pool: Pool;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  /** All workers together compare incidents at most once per this interval; if absent, every round does. */
  readonly compareEverySeconds?: number;
  readonly operators: { readonly links: OperatorLinks; readonly webhook: OperatorsWebhook };
}

/** @returns a function that runs one round; the next round sends the remaining notices */
export function operatorsTeller({
  pool,
  logger,
  operators,
  compareEverySeconds,
}: TellDeps): (stop: AbortSignal) => Promise<void> {
  const { links, webhook } = operators;
  // No address guard, because operators configure this URL, which may be in their own network.
  const agent = new Agent({ keepAliveTimeout: 4_000, connect: { timeout: TIMEOUT_MS } });
  let isFailing = false;

  async function send(due: DueNotice, stop: AbortSignal): Promise<boolean> {
    const notice = noticeOf(due, links);
    const request = webhookRequest(
      {
        eventId: notice.id,
        body: JSON.stringify(notice),
        attempts: due.attempts,
        url: webhook.url,
        standardHeaders: true,
      },
      [webhook.secret],
      due.clock,
    );
    const { error } = await post(request, { agent, timeoutMs: TIMEOUT_MS }, stop);
    await recordNoticeSent(pool, due, error);
    const { kind, id } = due.content.incident;
    if (error !== null && !isFailing) logger.error({ kind, id, err: error }, 'operators cannot be notified');
    if (error === null && isFailing) logger.info('operators can be notified again');
    isFailing = error !== null;
    return error === null;
  }

  return async (stop) => {
    await noteIncidents(pool, compareEverySeconds);
    let failures = 0;
    while (!stop.aborted && failures < MOST_FAILURES_OF_ROUND) {
      const due = await claimNotice(pool);
      if (!due) return;
      const isSent = await send(due, stop).catch((error: unknown) => {
        // This worker is stopping; another one sends the notice.
        if (!stop.aborted) throw error;
      });
      if (!isSent) failures += 1;
    }
  };
}

function noticeOf({ id, what, at, count, content }: DueNotice, links: OperatorLinks): IncidentNotice {
  const shown = (found: FoundIncident) => {
    const ageSeconds = Math.max(0, Math.floor((Date.parse(at) - Date.parse(found.since)) / 1_000));
    const incident = withLinks({ ...found, age_seconds: ageSeconds }, links);
    return what === 'cleared' ? { ...incident, ...clearedAt(at, found) } : incident;
  };
  const { incident, worst, merchants, amounts } = content;
  return {
    id: what === 'grown' ? `${id}.grown-${Date.parse(at)}` : `${id}.${what}`,
    type: `incident.${what}`,
    created_at: at,
    key: id,
    count,
    merchants,
    amounts,
    incident: shown(incident),
    worst: worst.map(shown),
  };
}

/** A subject's history shows how its incident ended; an incident of the installation has no such history. */
function clearedAt(at: string, { id, merchant_id: merchant }: FoundIncident) {
  const how = merchant === null ? '' : ` "npm run ops -- why ${id}" shows how it ended.`;
  return { means: `Cleared at ${at}.${how}`, by_itself: 'No action needed.', next: null };
}
