/** Waits until a merchant can sell again. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Place } from '../place/place.ts';

/**
 * Longer than the comparison of a restored database on a busy machine, so that the limit does not distort the
 * figure.
 */
const WITHIN_MS = 300_000;

export async function untilSale({ apiUrl, merchant, products }: Place): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while (performance.now() < end) {
    const status = await fetch(`${apiUrl}/v1/checkouts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ productId: products.oneTime, externalCustomerId: 'probe' }),
      signal: AbortSignal.timeout(5_000),
    }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 201) return;
    await pause(100);
  }
}
