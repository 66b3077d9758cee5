import { condition, continueAsNew, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { lookupDelaySeconds } from '../../domain/core/lookup-schedule.ts';
import type { SubjectLinks } from '../../domain/core/subject-links.ts';
import { onSignal } from '../core/inbox.ts';
import { isHistoryLong } from '../core/long-history.ts';
import { railWebhookSignal, searchAttributes } from '../core/messages.ts';
import { activities } from '../core/proxies.ts';
import { describeLinks } from '../core/subject-links.ts';
import * as messages from './reconcile-messages.ts';

/**
 * Delays between rounds. A round is a look-up and, for an orphaned charge, an attempt to return it. The last delay
 * repeats indefinitely (rule 7).
 */
const ROUND_SECONDS = [5, 30, 300, 3_600, 86_400];

/**
 * Guarantees: a rail webhook about a payment that has ended here is judged, and an orphaned charge is returned to the
 * buyer (rule 7). A webhook wakes the run, which asks the rail immediately (rule 33). Not for
 * `reconciliation_required`: a payment in doubt is open, and its session, subscription or refund looks it up.
 * @returns - `agrees`: rail and row agree.
 * - `returned`: the charge is back with the buyer.
 * - `contradicts`: an operator settled the payment as paid, but the rail reports otherwise. Needs an
 * operator.
 * - `open`: the payment is open again; its own workflow looks it up.
 * - `rowNotFound`: the payment's row no longer exists.
 */
export async function reconcile(
  given: messages.ReconcileInput,
): Promise<'agrees' | 'returned' | 'contradicts' | 'open' | 'rowNotFound'> {
  const input = messages.reconcileInput(given, 'reconcile');
  const { paymentId } = input;
  let hasWebhook = false;
  onSignal(railWebhookSignal, () => {
    hasWebhook = true;
  });

  let round = 0;
  for (;;) {
    hasWebhook = false;
    const { verdict, pages } = await activities.judgeAfterEnd(paymentId);
    if (verdict === 'orphaned') {
      if ((await returnOrphan(paymentId, pages)) && !hasWebhook) return 'returned';
    } else if (verdict !== 'unknown') {
      if (verdict === 'returned') clear('The charge was returned to the buyer.');
      if (!hasWebhook) return verdict;
    }
    if (isHistoryLong() && !hasWebhook) await continueAsNew<typeof reconcile>(input);
    const delayMs = 1_000 * lookupDelaySeconds(round, ROUND_SECONDS, []);
    const heard = await condition(() => hasWebhook, delayMs, { summary: 'look up at the rail' });
    // A look-up caused by a webhook does not lengthen the next wait (rule 18).
    if (!heard) round += 1;
  }
}

/** @returns true once the rail has accepted the return */
async function returnOrphan(paymentId: string, links: SubjectLinks | undefined): Promise<boolean> {
  show('The rail charged an attempt that has ended here. The charge is being returned to the buyer.', links);
  const returned = await activities.returnCharge(paymentId);
  if (!returned) {
    show(
      'The rail has not accepted the return yet. Retrying; if this continues, check the charge at the rail.',
      links,
    );
    return false;
  }
  clear(`The charge was returned to the buyer (${returned}).`);
  return true;
}

function show(details: string, links: SubjectLinks | undefined): void {
  setCurrentDetails([details, ...describeLinks(links)].join('\n'));
  upsertSearchAttributes([{ key: searchAttributes.needsOperator, value: true }]);
}

function clear(details: string): void {
  upsertSearchAttributes([{ key: searchAttributes.needsOperator, value: false }]);
  setCurrentDetails(details);
}
