/**
 * Calls `run` once for all items given in the same tick. Items given during a run are collected for one more run,
 * because the current run may have read before their rows were written.
 * @param run must not throw
 */
export function coalesced<Item>(
  run: (items: readonly Item[]) => Promise<void>,
): (items: readonly Item[]) => void {
  const waiting: Item[] = [];
  let underWay = false;
  const work = async () => {
    underWay = true;
    // Wait for the end of the tick: a transaction passes the events of each of its steps separately.
    await null;
    while (waiting.length > 0) await run(waiting.splice(0));
    underWay = false;
  };
  return (items) => {
    waiting.push(...items);
    if (!underWay) void work();
  };
}
