import {
  condition,
  continueAsNew,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { atLeastASecond } from '../../domain/core/shortest-sleep.ts';
import { onSignal } from '../core/inbox.ts';
import { isHistoryLong } from '../core/long-history.ts';
import { searchAttributes, wakeSignal } from '../core/messages.ts';
import { describeEndpoint, type ShownEndpoint } from './endpoint-details.ts';
import * as endpoint from './endpoint-messages.ts';
import { endpointProxy } from './endpoint-proxy.ts';

/** Far below the server's limits: a short history replays fast after the workflow moves to another worker. */
const LONGEST_HISTORY = 2_000;

const NOTHING_YET: ShownEndpoint = {
  status: 'enabled',
  delivering: false,
  waiting: 0,
  waitingSince: null,
  failingSince: null,
  disabledReason: null,
  lastError: null,
  sleepMs: null,
  nextLookAt: null,
  delivered: 0,
  failed: 0,
};

/**
 * Guarantees: every event of this endpoint reaches it, retried on a schedule, or the merchant is alerted. The database's
 * outbox holds the due deliveries; this loop drains it, plans its sleep, and sleeps until the next attempt or until a
 * delivery that is due earlier wakes it.
 */
export async function deliverEvents(given: endpoint.DeliverEventsInput): Promise<void> {
  const input = endpoint.deliverEventsInput(given, 'deliverEvents');
  const activities = endpointProxy(input.merchantId);
  let shown = NOTHING_YET;
  let woken = false;
  const wake = () => {
    woken = true;
  };
  onSignal(wakeSignal, wake);

  for (;;) {
    woken = false;
    show({ ...shown, delivering: true });
    const report = await activities.deliverDue(input);
    const { sleepMs } = report;
    show({
      ...report,
      delivering: false,
      lastError: report.lastError ?? shown.lastError,
      nextLookAt: sleepMs === null ? null : new Date(Date.now() + sleepMs).toISOString(),
      delivered: shown.delivered + report.delivered,
      failed: shown.failed + report.failed,
    });
    publishState(lifecycleState(shown));
    if (report.status === 'deleted') break;
    if (isHistoryLong() || workflowInfo().historyLength > LONGEST_HISTORY) {
      await continueAsNew<typeof deliverEvents>(input);
    }
    if (sleepMs === null) await condition(() => woken);
    else if (sleepMs > 0) await condition(() => woken, atLeastASecond(sleepMs));
  }

  function show(now: ShownEndpoint): void {
    shown = now;
    setCurrentDetails(describeEndpoint(now));
  }

  /** Sets the search attribute for Temporal UI's lists. */
  function publishState(state: string): void {
    if (workflowInfo().typedSearchAttributes.get(searchAttributes.lifecycleState) === state) return;
    upsertSearchAttributes([
      { key: searchAttributes.lifecycleState, value: state },
      { key: searchAttributes.needsOperator, value: state === 'disabled' },
    ]);
  }
}

/** The state in operators' lists: `failing` for an enabled endpoint that fails, otherwise the endpoint's status. */
function lifecycleState({ status, failingSince }: ShownEndpoint): string {
  return status === 'enabled' && failingSince !== null ? 'failing' : status;
}
