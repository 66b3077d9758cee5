/** Moves a sandbox subscription's clock, for merchants and for their people. */
import { isRefusedAsCrowded } from '../../db/subscription/advance-subscription.ts';
import { FARTHEST_YEARS } from '../../db/subscription/core/sandbox-clock.ts';
import { advanceClockUpdate } from '../../workflows/subscription/subscription-messages.ts';
import { invalidRequest } from '../http/errors.ts';
import { operateSubscription, type Sending } from './subscription-operation.ts';

/** @throws ApiError 400 if the target is more than 20 years from today */
export function clockSending(instant: string): Sending {
  const to = utcWithinBounds(instant);
  return (context, target) =>
    operateSubscription(context, {
      ...target,
      update: advanceClockUpdate,
      command: { to },
      foreseen: async () =>
        (await isRefusedAsCrowded(context.pool, { subscriptionId: target.subscriptionId, to }))
          ? { kind: 'refused', reason: 'advances_running' }
          : null,
    });
}

function utcWithinBounds(instant: string): string {
  const farthest = new Date();
  farthest.setUTCFullYear(farthest.getUTCFullYear() + FARTHEST_YEARS);
  const target = new Date(instant);
  if (target > farthest) {
    throw invalidRequest(`to is more than ${FARTHEST_YEARS} years ahead.`, {
      field: 'to',
      reason: 'too_late',
    });
  }
  return target.toISOString();
}
