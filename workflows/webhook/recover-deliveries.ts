import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { deliverProxy } from './deliver-proxy.ts';
import {
  type RecoverDeliveriesInput,
  type RecoveryStatus,
  recoveryStatusQuery,
} from './endpoint-messages.ts';

const BATCH = 500;
/** So much may wait already: what is new must not stand behind a whole backlog. */
const BACKLOG_TO_WAIT_FOR = 500;
const LOOK_AGAIN = '2 s';

/**
 * The promise: everything that this endpoint missed between two instants is made due again, once, in batches
 * that its own workflow can keep up with; or the recovery ends, and says why.
 *
 * The database knows what was recovered, so that a recovery that was interrupted goes on where it stood.
 */
export async function recoverDeliveries(input: RecoverDeliveriesInput): Promise<RecoveryStatus> {
  const { since, until, endpointId } = input;
  const activities = deliverProxy(input.merchantId);
  let { recovered, after } = input.progress;
  let state: RecoveryStatus['state'] = 'running';
  setHandler(recoveryStatusQuery, () => ({ state, recovered, since, until }), {
    description: 'How many deliveries were made due again so far. No input.',
  });

  while (state === 'running') {
    const { status, due } = await activities.readBacklog(endpointId);
    if (status !== 'enabled') {
      state = 'endpoint_not_enabled';
    } else if (due > BACKLOG_TO_WAIT_FOR) {
      await sleep(LOOK_AGAIN, { summary: `${due} are due already` });
    } else {
      const batch = await activities.recoverBatch({ ...input, after, limit: BATCH });
      recovered += batch.recovered;
      after = batch.next ?? after;
      if (batch.next === null) state = 'finished';
    }
    show();
    if (workflowInfo().continueAsNewSuggested && state === 'running') {
      await continueAsNew<typeof recoverDeliveries>({ ...input, progress: { recovered, after } });
    }
  }
  await condition(allHandlersFinished);
  return { state, recovered, since, until };

  function show(): void {
    setCurrentDetails(
      [
        `**${state}**: ${recovered} deliveries made due again, of those written from ${since} up to ${until}.`,
        '',
        `They are sent by the endpoint's own workflow, \`${endpointId}\`.`,
      ].join('\n'),
    );
  }
}
