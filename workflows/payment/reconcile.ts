import { setCurrentDetails, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import { lookupDelaySeconds } from '../../domain/lookup-schedule.ts';
import { searchAttributes } from '../core/messages.ts';
import { database, rail } from '../core/proxies.ts';
import type * as messages from './reconcile-messages.ts';

/** After these the last one repeats without end: money that came after the end is never given up. */
const RETURN_SECONDS = [5, 30, 300, 3_600, 86_400];

/**
 * The promise: rail news about a payment whose session is over is judged, and a charge that should not exist
 * goes back to the buyer (rule 7).
 */
export async function reconcile({
  paymentId,
}: messages.ReconcileInput): Promise<'agrees' | 'returned' | 'contradicts' | 'open'> {
  for (let round = 0; ; round += 1) {
    const asked = await rail.askAfterEnd(paymentId);
    const verdict = await database.judgeAfterEnd({ paymentId, ...asked });
    if (verdict !== 'orphaned' && verdict !== 'unknown') return verdict;
    if (verdict === 'orphaned') {
      show(
        'A charge exists at the rail for an attempt that has ended here. It is being returned to the buyer.',
      );
      const returned = await rail.returnCharge(paymentId);
      if (returned) {
        await database.recordReturned({ paymentId, by: returned });
        upsertSearchAttributes([{ key: searchAttributes.needsOperator, value: false }]);
        setCurrentDetails(`The charge went back to the buyer (${returned}).`);
        return 'returned';
      }
      show('The rail did not take the charge back yet. It is tried again; look at the rail if this goes on.');
    }
    await sleep(1_000 * lookupDelaySeconds(round, RETURN_SECONDS, []), { summary: 'ask the rail again' });
  }

  function show(details: string): void {
    setCurrentDetails(details);
    upsertSearchAttributes([{ key: searchAttributes.needsOperator, value: true }]);
  }
}
