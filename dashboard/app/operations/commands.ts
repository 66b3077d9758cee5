/** Which commands fit a subject. The API decides; this only leaves out what it would refuse. */
import type { Schemas } from '../api/description.ts';

export type CommandName =
  | 'ask'
  | 'resolve'
  | 'returned'
  | 'dispute_close'
  | 'pause_rail'
  | 'resume_rail'
  | 'stop_merchant'
  | 'endpoint_pause'
  | 'endpoint_resume'
  | 'incident_close';

type Subject = Schemas['OperatorSubject'];
type Incident = Schemas['Incident'];

const OF_KIND: Readonly<Record<Subject['kind'], readonly CommandName[]>> = {
  session: ['ask', 'resolve'],
  subscription: ['ask', 'resolve'],
  refund: ['ask', 'resolve'],
  payment: ['ask', 'returned'],
  dispute: ['dispute_close'],
  rail_account: ['pause_rail', 'resume_rail'],
  merchant: ['stop_merchant'],
  endpoint: ['endpoint_pause', 'endpoint_resume'],
  event: [],
};

/** Kinds that only a person can close: no state shows that they are over. */
const CLOSED_BY_PERSON: readonly Incident['kind'][] = [
  'payment_not_at_rail',
  'refund_failed',
  'refund_reversed_by_rail',
  'refund_carried_out',
];

export const closable = (incidents: readonly Incident[]) =>
  incidents.find(({ kind }) => CLOSED_BY_PERSON.includes(kind))?.kind;

export function commandsFor({ kind }: Subject, incidents: readonly Incident[]): readonly CommandName[] {
  const has = (...kinds: readonly Incident['kind'][]) => incidents.some((each) => kinds.includes(each.kind));
  const fits = OF_KIND[kind].filter((name) => {
    if (name === 'resolve' || name === 'ask')
      return has('reconciliation_required', 'overdue', 'charge_unanswered');
    if (name === 'returned') return has('orphaned_charge');
    if (name === 'dispute_close') return has('dispute_open');
    return true;
  });
  return closable(incidents) ? [...fits, 'incident_close'] : fits;
}
