/** Moves a sandbox subscription's clock, for merchants and for their people. */
import { isRefusedAsCrowded } from '../../db/subscription/advance-subscription.ts';
import { advanceClockUpdate } from '../../workflows/subscription/subscription-messages.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import type { SubscriptionUpdate } from './subscription-operation.ts';

/** Far enough for any test, but limited. */
const FARTHEST_YEARS = 20;

type Advance = SubscriptionUpdate<{ readonly to: string }>;

/** @throws ApiError 400 if the target is more than 20 years from today */
export function clockAdvance(
  { pool }: ApiContext,
  target: Pick<Advance, 'scope' | 'subscriptionId' | 'operationId'>,
  instant: string,
): Advance {
  const { subscriptionId } = target;
  const to = utcWithinBounds(instant);
  return {
    ...target,
    update: advanceClockUpdate,
    command: { to },
    foreseen: async () =>
      (await isRefusedAsCrowded(pool, { subscriptionId, to }))
        ? { kind: 'refused', reason: 'advances_running' }
        : null,
  };
}

function utcWithinBounds(instant: string): string {
  const farthest = new Date();
  farthest.setUTCFullYear(farthest.getUTCFullYear() + FARTHEST_YEARS);
  const target = new Date(instant);
  if (target > farthest) {
    throw new ApiError('invalid_request', { message: `to is more than ${FARTHEST_YEARS} years ahead.` });
  }
  return target.toISOString();
}
