import {
  makeContinueAsNewFunc,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { isHistoryLong } from '../core/long-history.ts';
import { type RestoreInput, type RestoreStatus, restoreInput } from './restore-messages.ts';

/** Long time-outs: an unreachable rail keeps the database fenced, and reading a long list can take minutes. */
const restoring = proxyActivities<Activities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '10 s' },
});

const ROUND = '2 s';
/** Consecutive rounds without an adoption after which open differences are listed for an operator. */
const PATIENT_ROUNDS = 30;

/**
 * Guarantees: a restored database stays fenced until the rail's lists have been compared, and every difference is
 * adopted or listed for an operator (rule 29). All progress is in rows: another run repeats at most one wait and one
 * round.
 */
export async function restore(given: RestoreInput): Promise<RestoreStatus> {
  const input = restoreInput(given, 'restore');
  const { epoch } = input;
  const show = (step: RestoreStatus['step'], progress: Omit<RestoreStatus, 'step'>) => {
    const status = { step, ...progress };
    setCurrentDetails(describe(status));
    return status;
  };

  const { waitMs, ...before } = await restoring.beginComparison(epoch);
  show('waiting', before);
  await sleep(Math.max(1, waitMs));

  for (let left = true; left; ) {
    const { more, ...progress } = await restoring.compareAccounts(epoch);
    show('comparing', progress);
    left = more;
    if (left) await continueAsNewIfLong(input);
  }
  for (let quietRounds = 0; quietRounds < PATIENT_ROUNDS; ) {
    const { waits, moved, ...progress } = await restoring.adoptFindings(epoch);
    show('adopting', progress);
    // A row just adopted may be the owner of a charge that had no owner so far.
    if (!waits && !moved) break;
    quietRounds = moved ? 0 : quietRounds + 1;
    await sleep(ROUND);
    await continueAsNewIfLong(input);
  }
  return show('lifted', await restoring.finishRestore(epoch));
}

/** Needed because comparing thousands of accounts makes a long history. */
async function continueAsNewIfLong(input: RestoreInput): Promise<void> {
  if (!isHistoryLong()) return;
  const { taskQueue } = workflowInfo();
  await makeContinueAsNewFunc<typeof restore>({ taskQueue })(input);
}

function describe({ step, accounts, compared, listed, open, adopted, forAPerson }: RestoreStatus): string {
  const steps = {
    waiting: 'Waiting for calls begun before the fence to end.',
    comparing: 'Reads the rail’s lists. An unreachable rail is asked again every ten seconds.',
    adopting: 'Rebuilds what the database has lost.',
    lifted: 'The fence is lifted.',
  };
  return [
    `**${steps[step]}**`,
    `- ${compared} of ${accounts} rail accounts compared; ${listed} charges and refunds listed`,
    `- differences: ${adopted} adopted, ${open} open`,
    `- ${forAPerson} for an operator (\`npm run ops -- list\`)`,
    ...(step === 'lifted'
      ? []
      : ['', 'Until the fence is lifted, nothing is charged, refunded or delivered.']),
  ].join('\n');
}
