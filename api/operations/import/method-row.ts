/** Reports on a stored payment method, which moves with the subscriptions that charge it. Pure. */
import type { SourceMethod } from '../../../rail/account-source.ts';
import type { ImportRow } from './import-row.ts';

/** In order of precedence: a method counts as moved as soon as one of its subscriptions has been moved. */
const TOLD: readonly ImportRow['state'][] = ['moved', 'there', 'moves', 'unknown'];

/** @param charging the rows of the subscriptions that charge the method */
export function methodRow(method: SourceMethod, charging: readonly ImportRow[]): ImportRow {
  const row = { kind: 'payment_method', source: method.id } as const;
  for (const state of TOLD) {
    const found = charging.find((each) => each.state === state);
    if (!found) continue;
    const why =
      state === 'unknown' ? [`Whether ${found.source} has moved is unknown: run the import again.`] : [];
    return { ...row, state, id: found.id, why };
  }
  return { ...row, state: 'stays', id: null, why: whyItStays(method, charging) };
}

function whyItStays({ obstacles }: SourceMethod, charging: readonly ImportRow[]): readonly string[] {
  if (obstacles.length > 0) return obstacles;
  if (charging.length > 0)
    return [`Its subscription ${charging.map(({ source }) => source).join(', ')} is not moved.`];
  return ['No subscription uses it: a card is moved only with a subscription that it pays for.'];
}
