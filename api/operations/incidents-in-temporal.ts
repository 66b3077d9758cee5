/** Incidents that PostgreSQL cannot show: tasks wait for a worker, or Temporal does not answer. */
import type { Client } from '@temporalio/client';
import { KINDS_IN_TEMPORAL } from '../../contract/operations/incident-kinds.ts';
import {
  type FoundIncident,
  type Incident,
  type OperatorLinks,
  withLinks,
} from '../../contract/operations/incidents.ts';
import type { Explanation } from '../../contract/operations/subjects.ts';
import { type Pool, readClock } from '../../db/core/pool.ts';
import type { IncidentFilter } from '../../db/operations/incidents.ts';
import { showIncidents } from '../../db/operations/shown-incidents.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/core/environment.ts';
import { temporalFailure } from '../../platform/temporal/grpc-code.ts';
import {
  namesOf,
  POLLED_WITHIN_MS,
  type QueueState,
  readQueues,
  unserved,
  whyTasksWait,
} from '../../platform/temporal/queue-states.ts';

/** How long to wait for Temporal before the list is returned without Temporal's incidents. */
const TIMEOUT_MS = 5_000;
/** Temporal does not list pollers that have not polled for this long. */
const REMEMBERED_MS = 300_000;

const TEMPORAL = 'temporal';
const idOf = (environment: Environment) => `workers:${environment}`;

const WORKERS_POLL = `Workers have polled every queue in the last ${POLLED_WITHIN_MS / 1_000} s; "npm run ops -- health" shows whether tasks wait.`;

export interface IncidentDeps {
  readonly pool: Pool;
  readonly temporal: Client;
}

/**
 * Reads the incidents of `npm run ops -- list` and GET /v1/operations/incidents: first Temporal's, which may have
 * caused the others, then recorded ones, oldest first.
 *
 * @param withPeople whether to show operators, their requests and their reasons, as in the audit log
 */
export async function readIncidents(
  deps: IncidentDeps,
  filter: IncidentFilter,
  links: OperatorLinks,
  withPeople = true,
): Promise<readonly Incident[]> {
  const [inTemporal, recorded] = await Promise.all([
    concernsTemporal(filter) ? findInTemporal(deps) : [],
    showIncidents(deps.pool, filter, links, withPeople),
  ]);
  const { kinds = KINDS_IN_TEMPORAL, environment, olderThanSeconds = 0, limit } = filter;
  const fitting = inTemporal.filter(
    (each) =>
      kinds.some((kind) => kind === each.kind) &&
      (environment === undefined || each.environment === null || environment === each.environment) &&
      each.age_seconds >= olderThanSeconds,
  );
  return [...fitting.map((each) => withLinks(each, links)), ...recorded].slice(0, limit);
}

/**
 * @returns null unless `id` names Temporal or an environment's workers, which can be explained even without an incident
 */
export async function explainInTemporal(
  deps: IncidentDeps,
  id: string,
  links: OperatorLinks,
): Promise<Explanation | null> {
  const environment = ENVIRONMENTS.find((each) => idOf(each) === id) ?? null;
  if (id !== TEMPORAL && environment === null) return null;
  const found = await findInTemporal(deps);
  const about = found.find((each) => each.id === id || each.kind === 'temporal_unavailable');
  const incident = about && withLinks(about, links);
  const works = environment === null ? 'Temporal answers.' : WORKERS_POLL;
  return {
    subject: {
      kind: 'incident',
      id,
      state: incident?.kind ?? 'ok',
      merchant_id: '',
      environment,
      amount: null,
      currency: null,
      created_at: incident?.since ?? new Date().toISOString(),
      rail_reference: null,
      found_by: 'id',
    },
    means: incident?.means ?? works,
    by_itself: incident?.by_itself ?? 'Nothing.',
    next_at: null,
    rail_said: null,
    request: null,
    incidents: incident ? [incident] : [],
    history: [],
    related: [],
    commands: [],
    workflow_url: null,
  };
}

/** Returns whether a filter admits Temporal's incidents, which belong to no merchant and have no amount. */
function concernsTemporal({ kinds, merchantId, merchants = null, minAmount = 0 }: IncidentFilter): boolean {
  const isWanted = kinds?.some((kind) => KINDS_IN_TEMPORAL.some((each) => each === kind)) ?? true;
  return isWanted && merchantId === undefined && merchants === null && minAmount === 0;
}

async function findInTemporal({ pool, temporal }: IncidentDeps): Promise<readonly FoundIncident[]> {
  const [now, queues] = await Promise.all([
    readClock(pool).then((clock) => new Date(clock)),
    readQueues(temporal, TIMEOUT_MS).catch((error: Error) => error),
  ]);
  if (queues instanceof Error) return [unavailable(queues, now)];
  return ENVIRONMENTS.flatMap((environment) => {
    const { missing, late } = unserved(
      queues.filter((each) => each.environment === environment),
      now,
    );
    if (missing.length > 0) return [workersMissing(environment, missing, now)];
    return late.length > 0 ? [tasksWaiting(environment, late, whyTasksWait(queues, late, now), now)] : [];
  });
}

function workersMissing(environment: Environment, missing: readonly QueueState[], now: Date): FoundIncident {
  const polls = missing.map(({ last_poll_at: at }) => (at ? Date.parse(at) : now.getTime() - REMEMBERED_MS));
  const how = missing.some(({ last_poll_at: at }) => at)
    ? `since ${new Date(Math.max(...polls)).toISOString()}`
    : 'in the last five minutes';
  return {
    ...OF_INSTALLATION,
    kind: 'workers_missing',
    id: idOf(environment),
    environment,
    ...datedAt(new Date(Math.min(...polls)), now),
    reason: `no worker has polled ${namesOf(missing)} ${how}`,
  };
}

function tasksWaiting(
  environment: Environment,
  late: readonly QueueState[],
  why: string,
  now: Date,
): FoundIncident {
  const since = new Date(now.getTime() - Math.max(...late.map((each) => each.oldest_seconds)) * 1_000);
  return {
    ...OF_INSTALLATION,
    kind: 'workers_missing',
    id: idOf(environment),
    environment,
    ...datedAt(since, now),
    reason: `tasks of ${namesOf(late)} have waited since ${since.toISOString()}; ${why}`,
  };
}

function unavailable(error: Error, now: Date): FoundIncident {
  return {
    ...OF_INSTALLATION,
    kind: 'temporal_unavailable',
    id: TEMPORAL,
    environment: null,
    ...datedAt(now, now),
    reason: `no answer within ${TIMEOUT_MS / 1_000} s: ${temporalFailure(error) ?? error.message}`,
  };
}

const OF_INSTALLATION = {
  merchant_id: null,
  merchant_name: null,
  amount: null,
  currency: null,
  payment_id: null,
  workflow_id: null,
  next: null,
} as const;

function datedAt(since: Date, now: Date) {
  const age = Math.floor((now.getTime() - since.getTime()) / 1_000);
  return { since: since.toISOString(), age_seconds: Math.max(0, age) };
}
