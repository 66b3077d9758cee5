import { setCurrentDetails, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import { lookupDelaySeconds } from '../../domain/lookup-schedule.ts';
import { searchAttributes } from '../core/messages.ts';
import { database, rail } from '../core/proxies.ts';
import type * as messages from './reconcile-messages.ts';

/** Waits between attempts to return a charge; the last one repeats for ever, because the money must go back. */
const RETURN_SECONDS = [5, 30, 300, 3_600, 86_400];

/**
 * Promise: rail news about a payment whose session has ended is judged, and an orphaned charge goes back to the buyer
 * (rule 7).
 */
export async function reconcile({
  paymentId,
}: messages.ReconcileInput): Promise<'agrees' | 'returned' | 'contradicts' | 'open'> {
  for (let round = 0; ; round += 1) {
    const asked = await rail.askAfterEnd(paymentId);
    const verdict = await database.judgeAfterEnd({ paymentId, ...asked });
    if (verdict !== 'orphaned' && verdict !== 'unknown') return verdict;
    if (verdict === 'orphaned') {
      show('The rail charged an attempt that has ended here. The charge is being returned to the buyer.');
      const returned = await rail.returnCharge(paymentId);
      if (returned) {
        await database.recordReturned({ paymentId, by: returned });
        upsertSearchAttributes([{ key: searchAttributes.needsOperator, value: false }]);
        setCurrentDetails(`The charge was returned to the buyer (${returned}).`);
        return 'returned';
      }
      show(
        'The rail has not accepted the return yet. Retrying; if this continues, check the charge at the rail.',
      );
    }
    await sleep(1_000 * lookupDelaySeconds(round, RETURN_SECONDS, []), { summary: 'look up at the rail' });
  }

  function show(details: string): void {
    setCurrentDetails(details);
    upsertSearchAttributes([{ key: searchAttributes.needsOperator, value: true }]);
  }
}
