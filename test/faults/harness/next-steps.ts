/** Measures how long a session stalls after its worker is killed. */
import type { Fault, Records } from '../checker/records.ts';

/**
 * Longer than a call to the rail may take: a session that has been processing for longer waits for a scheduled
 * look-up.
 */
const MID_CHARGE_MS = 12_000;

export interface NextSteps {
  /** One worker was killed, and nothing else was broken before the next step; in milliseconds. */
  readonly alone: readonly number[];
  /** Both workers were killed, or another fault overlapped. */
  readonly beside: readonly number[];
}

type Seen = Pick<Records, 'seen' | 'faults' | 'sessions' | 'payments' | 'requests'>;

/**
 * The next steps of sessions that were mid-charge when a worker was killed. A next step is whichever comes
 * first: the page shows another state, or the rail is asked about the payment again.
 */
export function nextSteps(records: Seen): NextSteps {
  const steps = records.faults.filter(isKillOfWorker).flatMap((kill) => stepsAfter(records, kill));
  const ms = (isAlone: boolean) => steps.filter((step) => step.isAlone === isAlone).map((step) => step.ms);
  return { alone: ms(true), beside: ms(false) };
}

const isKillOfWorker = ({ kind, what }: Fault) => /^SIGKILL.*worker/.test(`${kind} ${what}`);

function stepsAfter(records: Seen, kill: Fault) {
  const bySession = Map.groupBy(records.seen, ({ sessionId }) => sessionId);
  return [...bySession].flatMap(([sessionId, views]) => {
    const inOrder = views.toSorted((one, other) => one.at.localeCompare(other.at));
    const last = inOrder.findLast(({ at }) => at <= kill.at);
    if (last?.state !== 'processing' || msBetween(last.at, kill.at) > MID_CHARGE_MS) return [];
    const next = [
      inOrder.find(({ at }) => at > kill.at)?.at,
      records.requests
        .filter(({ at, reference }) => at > kill.at && paymentsOf(records, sessionId).has(reference ?? ''))
        .map(({ at }) => at)
        .toSorted()[0],
    ]
      .filter((at) => at !== undefined)
      .toSorted()[0];
    if (!next) return [];
    const others = records.faults.filter((each) => each !== kill && each.at <= next && each.until >= kill.at);
    return [{ ms: msBetween(kill.at, next), isAlone: kill.what !== 'both' && others.length === 0 }];
  });
}

/** The payment ids of all attempts of a session, by which the rail identifies them. */
function paymentsOf({ sessions, payments }: Seen, sessionId: string): ReadonlySet<string> {
  const session = sessions.find(({ id }) => id === sessionId);
  const attempts = payments.filter(({ order_id }) => order_id !== null && order_id === session?.order_id);
  return new Set([...attempts.map(({ id }) => id), ...(session?.payment_id ? [session.payment_id] : [])]);
}

const msBetween = (from: string, to: string) => Date.parse(to) - Date.parse(from);
