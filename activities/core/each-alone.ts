/** Acts on each item in turn; a failure is logged and does not stop the rest. */
import type { Logger } from 'pino';

export async function eachAlone<Item>(
  logger: Pick<Logger, 'error'>,
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (const item of items) {
    await act(item).catch((err: unknown) => logger.error({ err }, 'sweep item failed'));
  }
}
