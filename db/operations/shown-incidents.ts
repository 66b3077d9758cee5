/**
 * Incidents as operators see them: described, with links, and with the command that a second person can confirm.
 */
import {
  type FoundIncident,
  type Incident,
  type OperatorLinks,
  withLinks,
} from '../../contract/operations/incidents.ts';
import type { Db } from '../core/pool.ts';
import { PAUSED_BY, STOPPED_BY } from './incident-sources.ts';
import { type IncidentFilter, listIncidents } from './incidents.ts';
import { readOperatorRequests } from './stored-requests.ts';

/** @param withPeople true to show operators, their requests and their reasons, as in the audit log */
export async function showIncidents(
  db: Db,
  filter: IncidentFilter,
  links: OperatorLinks,
  withPeople = true,
): Promise<readonly Incident[]> {
  const found = await listIncidents(db, filter);
  const waiting = found.filter(({ kind }) => withPeople && kind === 'second_person_needed');
  const requests = await readOperatorRequests(
    db,
    waiting.map(({ id }) => id),
  );
  return found.map((each) =>
    withLinks(withPeople ? each : withoutPeople(each), links, requests.get(each.id) ?? null),
  );
}

function withoutPeople(found: FoundIncident): FoundIncident {
  if (!['rail_unavailable', 'merchant_stopped'].includes(found.kind)) return found;
  const begins = [PAUSED_BY, STOPPED_BY].find((each) => found.reason.startsWith(each));
  return begins ? { ...found, reason: `${begins}an operator` } : found;
}
