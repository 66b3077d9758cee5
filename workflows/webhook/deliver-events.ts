import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { atLeastASecond } from '../../domain/core/shortest-sleep.ts';
import type { SubjectLinks } from '../../domain/core/subject-links.ts';
import { onBareSignal, onQuery, onUpdate } from '../core/handlers.ts';
import { isHistoryLong } from '../core/long-history.ts';
import { searchAttributes, wakeSignal } from '../core/messages.ts';
import { describeEndpoint } from './endpoint-details.ts';
import * as endpoint from './endpoint-messages.ts';
import { endpointProxy } from './endpoint-proxy.ts';

/** Far below the server's limits: a short history replays fast when the workflow moves to another worker. */
const LONGEST_HISTORY = 2_000;

const NOTHING_YET: endpoint.EndpointWorkflowStatus = {
  status: 'enabled',
  delivering: false,
  waiting: 0,
  waitingSince: null,
  failingSince: null,
  lastError: null,
  nextLookAt: null,
  delivered: 0,
  failedAttempts: 0,
};

/**
 * Promise: every event of this endpoint reaches it, retried on its schedule, or the merchant is alerted. The
 * database's outbox holds the due deliveries; this loop keeps the time. It drains, plans its sleep, and
 * sleeps until the next attempt or until the writer of an earlier delivery wakes it.
 */
export async function deliverEvents(given: endpoint.DeliverEventsInput): Promise<void> {
  const input = endpoint.deliverEventsInput(given, 'deliverEvents');
  const activities = endpointProxy(input.merchantId);
  let shown = NOTHING_YET;
  let publishedState = workflowInfo().typedSearchAttributes.get(searchAttributes.lifecycleState);
  let pages: SubjectLinks | undefined;
  let woken = false;
  registerEndpointHandlers(input, activities, {
    shown: () => shown,
    wake: () => {
      woken = true;
    },
  });

  for (;;) {
    woken = false;
    show({ ...shown, delivering: true });
    const { delivered, failed, lastError, sleepMs, ...report } = await activities.deliverDue(input);
    pages = report.pages;
    show({
      status: report.status,
      delivering: false,
      waiting: report.waiting,
      waitingSince: report.waitingSince,
      failingSince: report.failingSince,
      lastError: lastError ?? shown.lastError,
      nextLookAt: sleepMs === null ? null : new Date(Date.now() + sleepMs).toISOString(),
      delivered: shown.delivered + delivered,
      failedAttempts: shown.failedAttempts + failed,
    });
    publishState(lifecycleState(report));
    if (report.status === 'deleted') break;
    if (isHistoryLong() || workflowInfo().historyLength > LONGEST_HISTORY) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof deliverEvents>(input);
    }
    if (sleepMs === null) await condition(() => woken);
    else if (sleepMs > 0) await condition(() => woken, atLeastASecond(sleepMs));
  }
  await condition(allHandlersFinished);

  function show(now: endpoint.EndpointWorkflowStatus): void {
    shown = now;
    setCurrentDetails(describeEndpoint(now, pages));
  }

  /** Sets the search attribute for Temporal UI's lists. */
  function publishState(state: string): void {
    if (state === publishedState) return;
    publishedState = state;
    upsertSearchAttributes([
      { key: searchAttributes.lifecycleState, value: state },
      { key: searchAttributes.needsOperator, value: state === 'disabled' },
    ]);
  }
}

/** Operators' lists show `failing`; the endpoint's status is still `enabled`. */
function lifecycleState({
  status,
  failingSince,
}: Pick<endpoint.EndpointWorkflowStatus, 'status' | 'failingSince'>): string {
  return status === 'enabled' && failingSince !== null ? 'failing' : status;
}

interface EndpointRun {
  shown(): endpoint.EndpointWorkflowStatus;
  /** Ends the loop's sleep. */
  wake(): void;
}

/**
 * Call before the first await. A command is one guarded database statement, and needs no turn of the loop: it does not wait for a running drain, and a pause takes effect at the drain's
 * next claim.
 */
function registerEndpointHandlers(
  input: endpoint.DeliverEventsInput,
  activities: ReturnType<typeof endpointProxy>,
  { shown, wake }: EndpointRun,
): void {
  onQuery(
    endpoint.endpointStatusQuery,
    shown,
    'Number of waiting deliveries and since when, last failure, time of the next look. No input.',
  );
  onBareSignal(wakeSignal, wake, 'Something is due: look now. No input.');
  onUpdate(endpoint.pauseUpdate, async (command) => {
    const { status } = await activities.pauseEndpoint({ ...input, ...command });
    wake();
    return { status };
  });
  onUpdate(endpoint.resumeUpdate, async (command) => {
    const { status } = await activities.resumeEndpoint({ ...input, ...command });
    wake();
    return { status };
  });
  onUpdate(endpoint.redeliverUpdate, async (command) => {
    const { found } = await activities.redeliverEvent({ ...input, ...command });
    wake();
    return { found };
  });
}
