import { continueAsNew, setCurrentDetails, sleep } from '@temporalio/workflow';
import { isHistoryLong } from '../core/long-history.ts';
import { endpointProxy } from './endpoint-proxy.ts';
import {
  type RecoverDeliveriesInput,
  type RecoveryStatus,
  recoverDeliveriesInput,
} from './recovery-messages.ts';

const BATCH = 500;
/** While the backlog is larger, no batch is added: new events must not queue behind the whole recovery. */
const MAX_BACKLOG = 500;
const BACKLOG_POLL_INTERVAL = '2 s';

/**
 * Guarantees: every delivery that this endpoint missed between two instants becomes due again, once, in batches that the
 * endpoint can keep up with; or the recovery ends with a reason. Progress is in the database, so that an interrupted
 * recovery continues where it stopped.
 */
export async function recoverDeliveries(given: RecoverDeliveriesInput): Promise<RecoveryStatus> {
  const input = recoverDeliveriesInput(given, 'recoverDeliveries');
  const { since, until, endpointId } = input;
  const activities = endpointProxy(input.merchantId);
  let { recovered, after } = input.progress;
  let state: RecoveryStatus['state'] = 'running';

  while (state === 'running') {
    const { status, due } = await activities.readBacklog(endpointId);
    if (status !== 'enabled') {
      state = 'endpoint_not_enabled';
    } else if (due > MAX_BACKLOG) {
      await sleep(BACKLOG_POLL_INTERVAL, { summary: `${due} are due already` });
    } else {
      const batch = await activities.recoverBatch({ ...input, after, limit: BATCH });
      recovered += batch.recovered;
      after = batch.next ?? after;
      if (batch.next === null) state = 'finished';
    }
    show();
    if (isHistoryLong() && state === 'running') {
      await continueAsNew<typeof recoverDeliveries>({ ...input, progress: { recovered, after } });
    }
  }
  return { state, recovered, since, until };

  function show(): void {
    setCurrentDetails(
      [
        `**${state}**: ${recovered} deliveries of events from ${since} up to ${until} made due again.`,
        '',
        `They are sent by the endpoint's own workflow, \`${endpointId}\`.`,
      ].join('\n'),
    );
  }
}
