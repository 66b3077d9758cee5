/** Collects the state of every part after the faults. */
import { readFile } from 'node:fs/promises';
import { type Client, isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { optionalTsToDate } from '@temporalio/common/lib/time.js';
import { openTemporal } from '../../../platform/temporal/client.ts';
import type {
  Incident,
  LoggedEvent,
  MethodChange,
  RailCharge,
  RailDispute,
  RailRefund,
  Records,
  Refund,
  Run,
  Session,
  SkippedNumbers,
  Subscription,
} from '../checker/records.ts';
import { now, type Recorder } from './core/record.ts';
import { askAsOwner } from './people/as-owner.ts';
import { sendUntilAnswered } from './people/calls.ts';
import type { Merchant } from './people/merchant.ts';
import type { Place } from './place/place.ts';

const ANSWERED_WITHIN_MS = 60_000;

export interface Source {
  readonly place: Place;
  readonly recorder: Recorder;
  readonly merchant: Merchant;
  readonly seed: number;
  readonly commit: string;
}

/** @param inside also reads Temporal's histories and the logs, which takes a while */
export async function collect(
  { place, recorder, merchant, ...about }: Source,
  inside: boolean,
): Promise<Records> {
  const list = async (path: string) => {
    const { status, body } = await merchant.find(path);
    // An unreadable list must not count as empty, because its rows would go unchecked.
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    return body.data;
  };
  const sessions: Session[] = [];
  const refunds: Refund[] = [];
  const unknown: string[] = [];
  const findEach = async <Item>(ids: Iterable<string>, path: string, into: Item[]) => {
    for (const id of ids) {
      const { status, body } = await merchant.find(`${path}/${id}`);
      if (status === 200) into.push(body);
      else if (status === 404) unknown.push(id);
      else throw new Error(`${path}/${id} answered ${status}`);
    }
  };
  await findEach(recorder.sessionIds, '/v1/checkouts', sessions);
  const rail = await askRail(place);
  // Only the rail knows the id of a refund with a lost answer, or of the return of an adopted orphan.
  const atRail = rail.railRefunds.map(({ reference }) => reference);
  await findEach(new Set([...recorder.refundIds, ...atRail]), '/v1/refunds', refunds);
  const ofMerchant = `/v1/merchants/${place.merchant.id}`;
  const [payments, orders, invoices, begun, disputes, coupons] = await Promise.all(
    [
      '/v1/payments',
      '/v1/orders',
      '/v1/invoices',
      '/v1/subscriptions',
      `${ofMerchant}/disputes`,
      `${ofMerchant}/coupons`,
    ].map(list),
  );
  const subscriptions: Subscription[] = [];
  const ids = begun.map(({ id }: { id: string }) => id);
  await findEach(ids, `${ofMerchant}/subscriptions`, subscriptions);
  // A session whose creation was never answered is known only by the subscription that it begins.
  const unanswered = subscriptions.flatMap(({ status, checkout_id: id }) =>
    status === 'incomplete' && id && !recorder.sessionIds.has(id) ? [id] : [],
  );
  await findEach(unanswered, '/v1/checkouts', sessions);
  const incidents = await listIncidents(place, recorder);
  return {
    ...about,
    startedAt: recorder.startedAt,
    endedAt: now(),
    exchanges: recorder.exchanges,
    seen: recorder.seen,
    cancelled: recorder.cancelled,
    received: recorder.received,
    observed: recorder.observed,
    faults: recorder.faults,
    restores: recorder.restores,
    canaries: [...recorder.canaries, ...place.secrets],
    ...rail,
    sessions,
    refunds,
    coupons,
    unknown,
    payments,
    orders,
    invoices,
    skippedNumbers: await readSkipped(place, recorder),
    subscriptions: subscriptions.map(
      ({ timeline: _, ...subscription }: Subscription & { timeline?: unknown }) => subscription,
    ),
    methodChanges: await showChanges(merchant, recorder),
    disputes,
    events: await readEventLog(merchant, `${ofMerchant}/webhook-events`),
    incidents,
    runs: inside ? await readRuns(place) : [],
    leakingLines: inside ? await leaksIn(place, [...recorder.canaries, ...place.secrets]) : [],
  };
}

/** Charges of both accounts of the merchant. */
async function askRail({ railUrl, merchant }: Place) {
  const json = async (path: string, secret = merchant.railSecret) => {
    const headers = { authorization: `Bearer ${secret}` };
    const response = await fetch(railUrl + path, { headers, signal: AbortSignal.timeout(30_000) });
    if (!response.ok) throw new Error(`the rail answered ${response.status} to ${path}`);
    return response.json();
  };
  const all = async <Item>(path: string, secret: string): Promise<Item[]> => {
    const found: Item[] = [];
    let after = '';
    for (;;) {
      const { data, next } = (await json(`${path}?since=2020-01-01T00:00:00.000Z${after}`, secret)) as {
        data: Item[];
        next: string | null;
      };
      found.push(...data);
      if (!next) return found;
      after = `&after=${encodeURIComponent(next)}`;
    }
  };
  const ofAccount = async (secret: string) => {
    const charges = (await all<RailCharge>('/v1/charges', secret)).map(
      ({ reference, status, amount, currency }) => ({ reference, status, amount, currency }),
    );
    const railDisputes: RailDispute[] = [];
    for (const { reference, status, amount: charged } of charges) {
      if (status !== 'approved' || charged === 0) continue;
      const { data } = (await json(`/v1/charges/${reference}/disputes`, secret)) as { data: RailDispute[] };
      for (const { status, amount, currency, createdAt } of data)
        railDisputes.push({ reference, status, amount, currency, createdAt });
    }
    return { charges, railRefunds: await all<RailRefund>('/v1/refunds', secret), railDisputes };
  };
  const [own, other] = [await ofAccount(merchant.railSecret), await ofAccount(merchant.otherAccount.secret)];
  const requests = (await json('/requests')) as Records['requests'];
  return {
    ledger: (await json('/ledger')) as Records['ledger'],
    // Leaves out the collector's own lists of disputes, and the sweep's checks of accounts.
    requests: requests.filter(({ operation }) => !['listDisputes', 'showAccount'].includes(operation)),
    charges: [...own.charges, ...other.charges],
    railRefunds: [...own.railRefunds, ...other.railRefunds],
    railDisputes: [...own.railDisputes, ...other.railDisputes],
  };
}

async function readSkipped(place: Place, recorder: Recorder): Promise<readonly SkippedNumbers[]> {
  const { id } = place.merchant;
  const { status, body } = await askAsOwner({ place, recorder }, 'GET', `/audit?subject_id=${id}&limit=100`);
  if (status !== 200) throw new Error(`the audit log responded with ${status}`);
  const entries = body.data as readonly {
    action: string;
    after: { series: string; years: readonly SkippedNumbers[] };
  }[];
  return entries
    .filter(({ action, after }) => action === 'invoice.skip_numbers' && after.series === 'invoice')
    .flatMap(({ after }) => after.years);
}

/** The service's own log of events to deliver. */
async function readEventLog(merchant: Merchant, path: string): Promise<readonly LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  let cursor = '';
  for (;;) {
    const { status, body } = await merchant.find(`${path}?limit=100${cursor}`);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    events.push(...body.data);
    if (!body.next_cursor) return events;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}

async function showChanges(
  merchant: Merchant,
  { methodChanges }: Recorder,
): Promise<readonly MethodChange[]> {
  return Promise.all(
    [...methodChanges].map(async ([id, hostedUrl]) => {
      const { status, body } = await merchant.findAt(`${hostedUrl}/state`);
      return { id, state: status === 200 ? String(body.state) : null };
    }),
  );
}

/** Incidents that need an operator. The same list from `npm run ops` costs more than a second of CPU time each time. */
async function listIncidents(
  { apiUrl, platformToken }: Place,
  recorder: Recorder,
): Promise<readonly Incident[]> {
  const { status, body } = await sendUntilAnswered(
    recorder,
    {
      method: 'GET',
      url: `${apiUrl}/v1/operations/incidents?limit=1000`,
      headers: { authorization: `Bearer ${platformToken}` },
    },
    ANSWERED_WITHIN_MS,
  );
  if (status !== 200) throw new Error(`the incident list responded with ${status}`);
  return (body.data as readonly Incident[]).map(({ kind, id, payment_id, reason }) => ({
    kind,
    id,
    payment_id,
    reason,
  }));
}

async function readRuns(place: Place): Promise<readonly Run[]> {
  const client = openTemporal({ address: `127.0.0.1:${place.temporal.port}`, namespace: 'default' });
  try {
    const runs: Run[] = [];
    for await (const { workflowId, runId, type, status, startTime } of client.workflow.list()) {
      const { startedAt, ...told } = await readRun(client, workflowId, runId, status.name);
      const about = { workflowId, runId, type, status: status.name };
      runs.push({ ...about, ...told, startedAt: (startedAt ?? startTime).toISOString() });
    }
    return runs;
  } finally {
    await client.connection.close();
  }
}

async function readRun(client: Client, workflowId: string, runId: string, status: string) {
  const handle = client.workflow.getHandle(workflowId, runId);
  const events = (await handle.fetchHistory().catch(unlessGone))?.events;
  let inARow = 0;
  let taskFailuresInARow = 0;
  let failure = '';
  for (const event of events ?? []) {
    const failed = event.workflowTaskFailedEventAttributes;
    if (event.workflowTaskCompletedEventAttributes) inARow = 0;
    // A reset itself writes a failed task.
    if (failed && failed.cause !== RESET) inARow += 1;
    const ended = event.workflowExecutionFailedEventAttributes;
    taskFailuresInARow = Math.max(taskFailuresInARow, inARow);
    failure = (ended?.failure ?? failed?.failure)?.message ?? failure;
  }
  const pending =
    status === 'RUNNING' ? ((await handle.describe().catch(unlessGone))?.raw.pendingActivities ?? []) : [];
  const payloads: string[] = [];
  gatherPayloads(events, payloads);
  return {
    // A reset run is listed with the instant of the reset, and may be about a row that was lost before it.
    startedAt: optionalTsToDate(events?.[0]?.eventTime),
    taskFailuresInARow,
    failure,
    pendingAttempts: Math.max(0, ...pending.map(({ attempt }) => attempt ?? 0)),
    payloads: payloads.join('\n'),
  };
}

/** Ignores a listed run that is missing, because the server was killed before it stored the run. */
export function unlessGone(error: unknown): null {
  if (error instanceof WorkflowNotFoundError || (isGrpcServiceError(error) && error.code === NOT_FOUND))
    return null;
  throw error;
}

const NOT_FOUND = 5;

/** `WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW` of Temporal's API. */
const RESET = 12;

function gatherPayloads(value: unknown, into: string[]): void {
  if (value instanceof Uint8Array) into.push(Buffer.from(value).toString());
  else if (value !== null && typeof value === 'object')
    for (const each of Object.values(value)) gatherPayloads(each, into);
}

/** Also matches any key or card number, which no list of canaries contains. */
const SECRETS = /ap_(test|live)_[0-9a-f]{72}|whsec_[A-Za-z0-9+/]{32,}|\b(4[0-9]{15}|5555555555554444)\b/;

async function leaksIn({ logFiles }: Place, canaries: readonly string[]): Promise<readonly string[]> {
  const leaks: string[] = [];
  for (const file of logFiles) {
    for (const line of (await readFile(file, 'utf8').catch(() => '')).split('\n')) {
      if (SECRETS.test(line) || canaries.some((canary) => line.includes(canary))) leaks.push(line);
    }
  }
  return leaks;
}
