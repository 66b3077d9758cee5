import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { assertText } from '../core/assert-fields.ts';
import { searchAttributes, wakeSignal } from '../core/messages.ts';
import { describeEndpoint } from './deliver-details.ts';
import { deliverProxy } from './deliver-proxy.ts';
import type { DeliverEventsInput } from './endpoint-messages.ts';
import * as endpoint from './endpoint-messages.ts';

/** Keeps a disagreement between two clocks from spinning the loop (rule 19). */
const SHORTEST_SLEEP_MS = 1_000;
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
 * Promise: every event of this endpoint reaches it on the schedule, or the merchant is alerted.
 * The database's outbox holds what is due; this loop keeps the time. It drains, plans its sleep, and sleeps until the
 * next attempt or until a writer with an earlier delivery wakes it.
 */
export async function deliverEvents(input: DeliverEventsInput): Promise<void> {
  const activities = deliverProxy(input.merchantId);
  let shown = NOTHING_YET;
  let toldState = workflowInfo().typedSearchAttributes.get(searchAttributes.lifecycleState);
  let woken = false;
  registerHandlers();

  for (;;) {
    woken = false;
    show({ ...shown, delivering: true });
    const { delivered, failed, lastError, sleepMs, ...report } = await activities.deliverDue(input);
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
    tellState(lifecycleState(report));
    if (report.status === 'deleted') break;
    if (workflowInfo().continueAsNewSuggested || workflowInfo().historyLength > LONGEST_HISTORY) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof deliverEvents>(input);
    }
    if (sleepMs === null) await condition(() => woken);
    else if (sleepMs > 0) await condition(() => woken, Math.max(SHORTEST_SLEEP_MS, Math.ceil(sleepMs)));
  }
  await condition(allHandlersFinished);

  function show(now: endpoint.EndpointWorkflowStatus): void {
    shown = now;
    setCurrentDetails(describeEndpoint(now));
  }

  /** Sets the search attribute for Temporal UI's lists. */
  function tellState(state: string): void {
    if (state === toldState) return;
    toldState = state;
    upsertSearchAttributes([
      { key: searchAttributes.lifecycleState, value: state },
      { key: searchAttributes.needsOperator, value: state === 'disabled' },
    ]);
  }

  /**
   * Each command is one guarded database statement. Commands do not wait for a running drain: a pause takes effect at
   * the drain's next claim.
   */
  function registerHandlers(): void {
    setHandler(endpoint.endpointStatusQuery, () => shown, {
      description: 'Number of waiting deliveries and since when, last failure, next look. No input.',
    });
    const wake = () => {
      woken = true;
    };
    setHandler(wakeSignal, wake, { description: 'Something is due: look now. No input.' });
    setHandler(
      endpoint.pauseUpdate,
      async ({ operator, reason }) => {
        const { status } = await activities.pauseEndpoint({ ...input, operator, reason });
        woken = true;
        return { status };
      },
      {
        description: 'Holds all events until "resume". Input: {"operator": "who you are", "reason": "why"}.',
        validator: mustSayWhoAndWhy,
      },
    );
    setHandler(
      endpoint.resumeUpdate,
      async ({ operator, reason }) => {
        const { status } = await activities.resumeEndpoint({ ...input, operator, reason });
        woken = true;
        return { status };
      },
      {
        description:
          'Enables the endpoint again after a pause, or after it was disabled. Input: {"operator": "who you are", "reason": "why"}.',
        validator: mustSayWhoAndWhy,
      },
    );
    setHandler(
      endpoint.redeliverUpdate,
      async ({ eventId, operator, reason }) => {
        const { found } = await activities.redeliverEvent({ ...input, eventId, operator, reason });
        woken = true;
        return { found };
      },
      {
        description:
          'Sends one event again, now. Input: {"eventId": "evt_…", "operator": "who you are", "reason": "why"}.',
        validator: (command) => {
          mustSayWhoAndWhy(command);
          assertText({ eventId: command.eventId });
          if (!command.eventId.startsWith('evt_'))
            throw refusal('eventId must be the id of an event (evt_…)');
        },
      },
    );
  }
}

/** `failing` is shown in operators' lists; the endpoint's status is still enabled. */
function lifecycleState({
  status,
  failingSince,
}: Pick<endpoint.EndpointWorkflowStatus, 'status' | 'failingSince'>): string {
  return status === 'enabled' && failingSince !== null ? 'failing' : status;
}

function refusal(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'InvalidRequest');
}

function mustSayWhoAndWhy(command: endpoint.OperatorCommand | undefined): void {
  assertText({ operator: command?.operator, reason: command?.reason });
}
