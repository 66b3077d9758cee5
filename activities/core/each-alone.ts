/** Processes independent items, several at a time; a failure is logged and does not stop the others. */
import type { Logger } from 'pino';
import { isChoreOver } from '../../platform/temporal/chore-budget.ts';

const AT_ONCE = 10;

/**
 * Stops when the chore's time budget is used up; the next sweep continues. Calls aborted at that point are not logged
 * one by one, because the sweep logs the chore's time-out.
 */
export async function eachAlone<Item>(
  logger: Pick<Logger, 'error'>,
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  const lane = async () => {
    for (const item of left) {
      if (isChoreOver()) return;
      await act(item).catch((err: unknown) => {
        if (!isChoreOver()) logger.error({ err }, 'sweep item failed');
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
