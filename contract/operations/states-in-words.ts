/** Descriptions of subjects' states, printed by `why`. */
import { INCIDENT_KINDS } from './incident-kinds.ts';
import type { SubjectKind } from './subjects.ts';

interface StateInWords {
  readonly means: string;
  readonly byItself: string;
}

const NOTHING = 'Nothing.';
const CHARGED_AGAIN =
  'It is charged again, or waits for a new payment method, until the dunning schedule ends.';
const LOOK_UPS = 'The rail is asked again until it answers; a webhook from it triggers a look-up at once.';

/** Descriptions by kind and state. A state without a description is shown unchanged. */
const STATES: Readonly<Record<SubjectKind, Readonly<Record<string, StateInWords>>>> = {
  session: {
    created: { means: 'Waiting for the buyer to pay.', byItself: 'It expires if the buyer does not pay.' },
    processing: { means: 'A payment is at the rail; its outcome is not known yet.', byItself: LOOK_UPS },
    requires_action: {
      means: "The buyer is in the bank's 3-D Secure challenge.",
      byItself: 'The rail is queried when the buyer returns or the challenge expires.',
    },
    succeeded: { means: 'Paid.', byItself: NOTHING },
    failed: {
      means: 'Ended without payment.',
      byItself: 'Money that arrives later is returned to the buyer.',
    },
    reconciliation_required: {
      means: 'The rail gave no clear answer. The buyer may have been charged.',
      byItself: LOOK_UPS,
    },
  },
  payment: {
    processing: { means: 'Sent to the rail; the outcome is not known yet.', byItself: LOOK_UPS },
    requires_action: { means: 'The bank requires the buyer to confirm.', byItself: LOOK_UPS },
    succeeded: { means: 'The rail confirmed the charge.', byItself: NOTHING },
    failed: { means: 'The charge failed and took no money.', byItself: NOTHING },
    cancelled: { means: 'Ended at the rail before a charge.', byItself: NOTHING },
    refunded: { means: 'Charged, and refunded in full.', byItself: NOTHING },
    partially_refunded: { means: 'Charged, and refunded in part.', byItself: NOTHING },
  },
  subscription: {
    incomplete: { means: 'Waiting for the first payment.', byItself: 'It begins when its session is paid.' },
    trialing: { means: 'In its free trial.', byItself: 'The first charge is made at the end of the trial.' },
    active: { means: 'Paid up.', byItself: 'It renews at the end of the period.' },
    past_due: {
      means: 'A charge failed.',
      byItself: CHARGED_AGAIN,
    },
    paused: { means: 'Paused: nothing is charged.', byItself: 'It resumes at its date, if it has one.' },
    cancelled: { means: 'Ended.', byItself: NOTHING },
    expired: { means: 'Never began: its session was not paid.', byItself: NOTHING },
  },
  refund: {
    pending: { means: 'Sent to the rail; the outcome is not known yet.', byItself: LOOK_UPS },
    succeeded: { means: 'The buyer has been refunded.', byItself: NOTHING },
    failed: {
      means: 'This refund returned no money.',
      byItself: "Nothing. Look the payment up in the rail's dashboard before refunding it again.",
    },
  },
  dispute: {
    open: {
      means: "The buyer's bank disputes the payment.",
      byItself: 'The rail is asked daily for the outcome.',
    },
    won: { means: 'Decided for the merchant.', byItself: NOTHING },
    lost: { means: 'The money was returned to the buyer.', byItself: NOTHING },
  },
  invoice: {
    draft: {
      means: 'Belongs to a change whose charge is under way; it has no number yet.',
      byItself: 'It gets its number when it is paid, and becomes void if it is not.',
    },
    open: { means: 'Waits for its charge.', byItself: CHARGED_AGAIN },
    payment_failed: { means: 'Its charge failed.', byItself: CHARGED_AGAIN },
    created: { means: 'Paid, or nothing was due.', byItself: NOTHING },
    void: { means: 'Its change was not paid: nothing is owed.', byItself: NOTHING },
    uncollectible: {
      means: 'Written off: its subscription ended before it was paid.',
      byItself: 'Nothing: "credit" issues a credit note.',
    },
    credited: { means: 'Written off, and credited.', byItself: NOTHING },
  },
  event: {
    delivered: { means: 'Accepted by every endpoint that subscribes to it.', byItself: NOTHING },
    pending: {
      means: 'Not yet accepted by every endpoint.',
      byItself: 'It is sent again on the retry schedule.',
    },
    held: {
      means: 'Held, because an endpoint is paused or disabled.',
      byItself: 'It is sent after a resume.',
    },
    exhausted: { means: 'All attempts to deliver it to an endpoint failed.', byItself: NOTHING },
    unaddressed: { means: 'No endpoint subscribed to it.', byItself: NOTHING },
  },
  endpoint: {
    enabled: { means: 'Receives events.', byItself: 'Failed deliveries are retried.' },
    paused: { means: 'Paused: its events are held.', byItself: NOTHING },
    disabled: { means: 'Disabled after failures: its events are held.', byItself: NOTHING },
    deleted: { means: 'Deleted.', byItself: NOTHING },
  },
  rail_account: {
    active: { means: 'Takes payments.', byItself: NOTHING },
    activating: { means: 'Cannot take payments yet.', byItself: NOTHING },
    disabled: { means: 'Takes no new payments.', byItself: 'Open payments are still looked up.' },
  },
  merchant: {
    active: { means: 'Sells.', byItself: NOTHING },
    inactive: {
      means: 'Stopped: its keys are refused.',
      byItself: 'Open sessions and subscriptions continue.',
    },
  },
  rail: {
    closed: { means: 'Accepts new attempts.', byItself: NOTHING },
    open: {
      means: 'Not responding: new attempts are rejected.',
      byItself: 'One attempt at a time probes the rail; the first response closes the incident.',
    },
    paused: {
      means: 'Paused by an operator: new attempts are rejected.',
      byItself: 'Nothing: "resume-rail" ends it.',
    },
  },
  request: {
    waiting: {
      means: 'A command for a large amount waits for a second person to confirm it.',
      byItself: 'It expires a day after the request.',
    },
    confirmed: {
      means: 'Confirmed, but not executed yet: its process died, or is still running.',
      byItself: 'Nothing: confirm it again, which never takes effect twice.',
    },
    carried_out: {
      means: 'Confirmed, and executed or refused: the history below shows which.',
      byItself: NOTHING,
    },
    withdrawn: { means: 'Withdrawn: nothing was done.', byItself: NOTHING },
    expired: { means: 'Nobody confirmed it within a day: nothing was done.', byItself: NOTHING },
  },
  incident: {
    ...INCIDENT_KINDS,
    swept: {
      means: 'The sweep has run within five minutes.',
      byItself: 'Each minute it picks up lost workflows, wake-ups and webhooks.',
    },
  },
};

export function stateInWords(kind: SubjectKind, state: string): StateInWords {
  return STATES[kind][state] ?? { means: state, byItself: NOTHING };
}
