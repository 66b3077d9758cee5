/**
 * Every kind of incident that waits for an operator: its meaning, the service's own reaction, and the next command.
 * `db/operations/incident-sources.ts` finds recorded incidents, `api/operations/incidents-in-temporal.ts` the others;
 * each has its section in docs/on-call.md.
 */
interface IncidentKindInWords {
  readonly means: string;
  readonly byItself: string;
  /** The next command; `{id}` stands for the incident's id. */
  readonly next: string;
  /** True if `incident close` ends the incident: no state of the service proves that it was handled. */
  readonly closedByPerson?: true;
  /** True if the amount is not at risk: it is settled, or nothing was charged. */
  readonly amountIsSafe?: true;
}

export const WHY = 'npm run ops -- why {id}';
const ASK = 'npm run ops -- ask {id}';
const CLOSE = '--reason <what was done>';
/** Ends an operator's pause of a rail. */
export const RESUME = 'npm run ops -- resume-rail {id} --reason <why>';
/** Resends the events that an endpoint missed; `{since}` stands for the instant of the oldest event. */
export const RECOVER = 'npm run ops -- endpoint recover {id} --since {since} --reason <why>';

export const INCIDENT_KINDS = {
  reconciliation_required: {
    means: 'The rail gave no clear answer to a charge or a refund. The buyer may have been charged.',
    byItself: 'Look-ups continue, eventually once a day; a rail webhook triggers one at once.',
    next: ASK,
  },
  orphaned_charge: {
    means: 'The rail charged an attempt that had ended here. The buyer has paid and received nothing for it.',
    byItself:
      'The charge is cancelled or refunded at the rail, with retries after 5 s, 30 s, 5 min, 1 h, then daily until the buyer has the money.',
    next: ASK,
  },
  payment_not_at_rail: {
    means:
      'Recorded as paid, but the rail reports no charge. The merchant may have delivered without being paid.',
    byItself: 'Nothing.',
    next: `npm run ops -- incident close payment_not_at_rail {id} ${CLOSE}`,
    closedByPerson: true,
  },
  outcome_not_recorded: {
    means: 'An outcome cannot be written to the database.',
    byItself: 'The write is retried every five seconds, and succeeds once the cause is gone.',
    next: WHY,
  },
  invoice_not_issued: {
    means: 'A purchase or a refund is recorded, but its invoice or credit note is not issued.',
    byItself: 'The sweep issues it, retrying each minute.',
    next: WHY,
    amountIsSafe: true,
  },
  charge_unanswered: {
    means: 'At least four attempts to charge an invoice did not reach the bank.',
    byItself: 'The charge is retried, eventually once a day, without dunning.',
    next: WHY,
    amountIsSafe: true,
  },
  refund_failed: {
    means: 'The rail rejected a refund, or an operator settled it as failed. This refund returned no money.',
    byItself: "Nothing. Look the payment up in the rail's dashboard before refunding it again.",
    next: WHY,
    closedByPerson: true,
  },
  refund_reversed_by_rail: {
    means: "A refund that is recorded as succeeded was rejected by the buyer's bank.",
    byItself: 'Nothing.',
    next: `npm run ops -- incident close refund_reversed_by_rail {id} ${CLOSE}`,
    closedByPerson: true,
  },
  refund_carried_out: {
    means: 'The rail made a refund that is recorded as failed.',
    byItself: 'Nothing; the merchant must not refund again.',
    next: 'npm run ops -- resolve {id} --outcome succeeded --reason … --evidence …',
    closedByPerson: true,
  },
  second_person_needed: {
    means: "An operator's command for a large amount waits for a second person to confirm it.",
    byItself: 'It expires a day after the request.',
    next: 'npm run ops -- confirm {id}',
    amountIsSafe: true,
  },
  dispute_open: {
    means: "The buyer's bank disputes a payment.",
    byItself:
      "The merchant has been notified, and can contest it in the rail's dashboard; the rail is asked daily for the outcome.",
    next: WHY,
  },
  dispute_not_found: {
    means: 'The rail sent a webhook about a disputed payment, but does not find that payment.',
    byItself: 'Nothing: the rail was asked for a day, and is asked again only if it sends another webhook.',
    next: `npm run ops -- incident close dispute_not_found {id} ${CLOSE}`,
    closedByPerson: true,
  },
  rail_unavailable: {
    means:
      'A rail, or one account at it, does not answer or is paused. New attempts are rejected; look-ups continue.',
    byItself:
      'One attempt at a time probes the rail; the first response closes the incident. A paused rail stays paused.',
    next: WHY,
  },
  merchant_sells_nothing: {
    means:
      'A merchant has sold nothing for over half an hour; by its usual share of sessions, a dozen sales are missing.',
    byItself: 'Nothing. The incident closes with the next sale, or an hour after the last session.',
    next: WHY,
  },
  merchant_stopped: {
    means: 'A person stopped the merchant: its keys are refused.',
    byItself: 'Nothing. Open sessions and subscriptions continue.',
    next: 'npm run ops -- start-merchant {id} --reason <why>',
  },
  rail_account_disabled: {
    means: 'The rail rejects the account. The merchant cannot sell.',
    byItself:
      'Open payments are looked up; renewals wait. It stays disabled until "npm run ops -- rail set" stores a new key, or "npm run ops -- rail check --apply" finds that a suspended account works again.',
    next: 'npm run ops -- rail check {id}',
  },
  rail_account_misconfigured: {
    means: 'The rail rejects calls of this account as invalid.',
    byItself: 'Other calls continue. The incident closes two days after the last rejected call.',
    next: 'npm run ops -- rail check {id}',
  },
  card_testing: {
    means: 'Declined cards at a merchant have exceeded a limit. Somebody may be testing stolen cards.',
    byItself:
      'Clicks need a proof of work; far above the limit, an address or a card is refused. The incident closes after ten minutes below the limit.',
    next: WHY,
  },
  endpoint_failing: {
    means:
      'A webhook endpoint has accepted nothing for 15 minutes, or responds so slowly that events wait that long.',
    byItself:
      'Each event is retried for three days. An endpoint without a success for five days is disabled.',
    next: WHY,
  },
  endpoint_disabled: {
    means: 'A webhook endpoint is or was disabled: the events that it missed are held.',
    byItself:
      'Nothing. Once it accepts a test, "endpoint resume" enables it and prints the command that sends the held events.',
    next: 'npm run ops -- endpoint test {id}',
    closedByPerson: true,
  },
  webhook_deliveries_exhausted: {
    means: 'All attempts to deliver an event to a webhook endpoint failed. The merchant has not received it.',
    byItself:
      'Nothing: it is not sent again. The incident closes once every event has been delivered after all.',
    next: RECOVER.replace('{since}', '<instant>'),
    closedByPerson: true,
  },
  overdue: {
    means: 'A session, subscription or refund is more than five minutes late for its next step.',
    byItself: 'The sweep wakes or restarts its workflow each minute.',
    next: WHY,
    amountIsSafe: true,
  },
  sweep_late: {
    means: 'No sweep for five minutes: lost workflows, wake-ups and webhooks are not picked up.',
    byItself: 'Nothing until a worker runs.',
    next: 'npm run ops -- sweep',
  },
  workers_missing: {
    means:
      'No worker takes tasks from a queue, or tasks wait over 20 s. Payments wait, and due work is late; nothing is lost.',
    byItself: 'A worker takes over as soon as it starts, and looks up calls in flight.',
    next: 'npm run ops -- health',
  },
  temporal_unavailable: {
    means: 'Temporal does not answer, so it is unknown whether workers run. Payments wait; nothing is lost.',
    byItself: 'Sessions are still created; everything continues within seconds once Temporal is back.',
    next: 'npm run ops -- health',
  },
  database_fenced: {
    means: 'The database was restored. No money moves until it has been compared with the rail.',
    byItself: 'The workflow restore-<epoch> compares it and lifts the fence.',
    next: 'npm run ops -- restored',
  },
  not_in_database: {
    means:
      'The restored database lacks a charge or refund that the rail has, or a change that a merchant requested.',
    byItself: 'Nothing.',
    next: 'npm run ops -- restored settle {id} --evidence <what was done>',
  },
} as const satisfies Record<string, IncidentKindInWords>;

export type IncidentKind = keyof typeof INCIDENT_KINDS;
export const KINDS_OF_INCIDENT = Object.keys(INCIDENT_KINDS) as [IncidentKind, ...IncidentKind[]];

/** Incidents found in Temporal, or by its failure to answer. All other kinds are found in rows. */
export const KINDS_IN_TEMPORAL = [
  'workers_missing',
  'temporal_unavailable',
] as const satisfies IncidentKind[];
export type RecordedKind = Exclude<IncidentKind, (typeof KINDS_IN_TEMPORAL)[number]>;
export const RECORDED_KINDS = KINDS_OF_INCIDENT.filter(isRecorded);

export function isRecorded(kind: IncidentKind): kind is RecordedKind {
  return !KINDS_IN_TEMPORAL.some((each) => each === kind);
}

/** Kinds that result from a person's decision: listed and measured, but not reported. */
const KINDS_OF_INFORMATION = ['merchant_stopped'] as const satisfies IncidentKind[];
export const needsOperator = <Kind extends IncidentKind>(
  kind: Kind,
): kind is Exclude<Kind, (typeof KINDS_OF_INFORMATION)[number]> =>
  !KINDS_OF_INFORMATION.some((each) => each === kind);
/** Recorded kinds that need an operator. */
export const NOTIFIED_KINDS = RECORDED_KINDS.filter(needsOperator);

export function inWords(kind: IncidentKind): IncidentKindInWords {
  return INCIDENT_KINDS[kind];
}
