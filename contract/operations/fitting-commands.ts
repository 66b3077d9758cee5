/** Decides which commands apply to a subject, by its kind, its state and its incidents. */
import type { OperatorCommand } from './commands.ts';
import { INCIDENT_KINDS, type IncidentKind } from './incident-kinds.ts';
import type { Incident } from './incidents.ts';
import type { FittingCommand, Subject, SubjectKind } from './subjects.ts';

type CommandName = OperatorCommand['command'];

/** The kinds of subject to which each command applies. */
export const TAKES: Readonly<Record<CommandName, readonly SubjectKind[]>> = {
  resolve: ['session', 'subscription', 'refund'],
  returned: ['payment'],
  dispute_close: ['dispute'],
  credit: ['invoice'],
  ask: ['session', 'subscription', 'refund', 'payment', 'dispute'],
  pause_rail: ['rail_account', 'rail'],
  resume_rail: ['rail_account', 'rail'],
  stop_merchant: ['merchant'],
  start_merchant: ['merchant'],
  endpoint_pause: ['endpoint'],
  endpoint_resume: ['endpoint'],
  endpoint_redeliver: ['endpoint'],
  endpoint_recover: ['endpoint'],
  incident_close: ['payment', 'refund', 'subscription', 'rail_account', 'endpoint'],
};

const IN_DOUBT: readonly IncidentKind[] = ['reconciliation_required', 'overdue', 'charge_unanswered'];
/** Commands that are offered only with one of these incidents. */
const BESIDE: Partial<Record<CommandName, readonly IncidentKind[]>> = {
  ask: IN_DOUBT,
  resolve: [...IN_DOUBT, 'refund_carried_out'],
  returned: ['orphaned_charge'],
};
/** Incidents for commands about a dispute; the payment's other incidents are handled at the payment. */
const BESIDE_OF_DISPUTES: readonly IncidentKind[] = ['dispute_open'];
/** Commands that are offered only in one of these states. */
const IN_STATE: Partial<Record<CommandName, readonly string[]>> = {
  credit: ['uncollectible'],
  stop_merchant: ['active'],
  start_merchant: ['inactive'],
  endpoint_pause: ['enabled'],
  endpoint_resume: ['paused', 'disabled'],
  endpoint_redeliver: ['enabled', 'paused', 'disabled'],
  endpoint_recover: ['enabled', 'paused', 'disabled'],
};

/** True for incidents settled only through their own subject: for another subject, the command has another effect. */
const isOwn = ({ kind }: Incident): boolean => kind === 'refund_carried_out';

export const closedByPerson = (kind: IncidentKind): boolean => 'closedByPerson' in INCIDENT_KINDS[kind];

/** @param incidents of the subject and of subjects related to it */
export function fittingCommands(
  { id, kind, state }: Subject,
  incidents: readonly Incident[],
): FittingCommand[] {
  const names = (Object.keys(TAKES) as CommandName[]).filter((name) => {
    const beside = kind === 'dispute' ? BESIDE_OF_DISPUTES : BESIDE[name];
    return (
      name !== 'incident_close' &&
      TAKES[name].includes(kind) &&
      (!beside || incidents.some((each) => beside.includes(each.kind) && (each.id === id || !isOwn(each)))) &&
      (IN_STATE[name]?.includes(state) ?? true)
    );
  });
  const closable = TAKES.incident_close.includes(kind)
    ? incidents.filter((each) => each.id === id && closedByPerson(each.kind))
    : [];
  return [
    ...names.map((command) => ({ command, incident_kind: null })),
    ...closable.map((each) => ({ command: 'incident_close' as const, incident_kind: each.kind })),
  ];
}
