/** Compares this machine's clock with the installation's: verification tolerates a difference of five minutes. */
const WORTH_SAYING_MS = 60_000;
const REQUEST_MS = 10_000;

/**
 * Warns on standard error if the clock is off.
 *
 * @returns how far this machine's clock is ahead; 0 if the installation does not report its time
 */
export async function clockAheadMs(url: string): Promise<number> {
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(REQUEST_MS) }).catch(
    () => null,
  );
  await response?.body?.cancel();
  const aheadMs = Date.now() - Date.parse(response?.headers.get('date') ?? '');
  if (Number.isNaN(aheadMs)) return 0;
  if (Math.abs(aheadMs) > WORTH_SAYING_MS) {
    const [seconds, how] = [Math.round(Math.abs(aheadMs) / 1_000), aheadMs > 0 ? 'fast' : 'slow'];
    console.error(
      `This machine's clock is ${seconds} s ${how} by the installation's: check its time synchronization. ` +
        'From 300 s on, webhooks fail verification here.',
    );
  }
  return aheadMs;
}
