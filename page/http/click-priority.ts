/**
 * Lets a click overtake expiring sessions of the same merchant (rule 42). A workflow's priority is set at its start,
 * before the buyer decides to pay. Changing it costs a call and a history event, so a process does that only during a
 * burst of the merchant's expiring sessions, and queries for bursts at most once a second.
 */

import { merchantsWithBursts } from '../../db/session/expiring-bursts.ts';
import type { Session } from '../../db/session/read/find-session.ts';
import { raisePriority } from '../../platform/temporal/raise-priority.ts';
import type { PageContext } from './context.ts';

const KEPT_MS = 1_000;
/** Short, because the click must not wait for the change of its priority. */
const CHANGE_DEADLINE_MS = 2_000;

interface Asked {
  readonly at: number;
  readonly bursts: Promise<ReadonlySet<string>>;
}
const asked = new WeakMap<PageContext, Asked>();

/** Raises the priority of a click's workflow. If that fails, the click is served with the normal priority. */
export async function raiseClickPriority(context: PageContext, session: Session): Promise<void> {
  const { temporal, logger } = context;
  try {
    const bursts = await burstsOf(context);
    if (!bursts.has(session.merchant_id)) return;
    await temporal.withDeadline(Date.now() + CHANGE_DEADLINE_MS, () =>
      raisePriority(temporal, session.id, session.merchant_id),
    );
  } catch (error) {
    logger.info({ checkoutId: session.id, err: (error as Error).message }, 'click priority not raised');
  }
}

function burstsOf(context: PageContext): Promise<ReadonlySet<string>> {
  const last = asked.get(context);
  if (last && performance.now() - last.at < KEPT_MS) return last.bursts;
  const bursts = merchantsWithBursts(context.pool).then((ids) => new Set(ids));
  asked.set(context, { at: performance.now(), bursts });
  return bursts;
}
