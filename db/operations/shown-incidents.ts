/** Incidents as operators are shown them: in words, with links, and with the command that a second person confirms. */
import { type Incident, type OperatorLinks, withLinks } from '../../contract/operations/incidents.ts';
import type { Db } from '../core/pool.ts';
import { type IncidentFilter, listIncidents } from './incidents.ts';
import { readOperatorRequests } from './stored-requests.ts';

/** @param withPeople whether operators' requests and their authors are shown, as in the audit log */
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
  return found.map((each) => withLinks(each, links, requests.get(each.id) ?? null));
}
