/** One after the other: one that fails is logged, and the others go on. */
import type { Logger } from 'pino';

export async function eachAlone<Item>(
  logger: Pick<Logger, 'error'>,
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (const item of items) {
    await act(item).catch((err: unknown) => logger.error({ err }, 'the sweep could not settle something'));
  }
}
