/**
 * Runs `run` once at a time, at once if it is idle. What is given during a run, which may have read before the new rows
 * were written, is gathered into one more.
 * @param run must not throw
 */
export function coalesced<Item>(
  run: (items: readonly Item[]) => Promise<void>,
): (items: readonly Item[]) => void {
  const waiting: Item[] = [];
  let underWay = false;
  const work = async () => {
    underWay = true;
    while (waiting.length > 0) await run(waiting.splice(0));
    underWay = false;
  };
  return (items) => {
    waiting.push(...items);
    if (!underWay) void work();
  };
}
