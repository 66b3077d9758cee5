/** A session's workflow as seen from outside: names, input and messages. */
import type { Environment } from '../../domain/core/environment.ts';
import type { LookupTimings } from '../../domain/core/lookup-schedule.ts';
import type { PayAnswer, SessionFailureReason, SessionState } from '../../domain/session/session.ts';
import { type CommandOf, update } from '../core/inbox.ts';
import { railWebhookSignal, resolveCommand, resolveRequestedSignal, wakeSignal } from '../core/messages.ts';
import { environment, lookupTimings, message, text } from '../core/parse-message.ts';

export const CHECKOUT_WORKFLOW = 'checkout';

/** Method changes and payment links give a checkout's guarantees, and notify the subscription at their end. */
export function sessionWorkflow(id: string): typeof CHECKOUT_WORKFLOW | 'methodChange' | 'paymentLink' {
  if (id.startsWith('ap_lnk_')) return 'paymentLink';
  return id.startsWith('ap_pmc_') ? 'methodChange' : CHECKOUT_WORKFLOW;
}

export interface SessionInput {
  readonly checkoutId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly timings: LookupTimings;
}

export const sessionInput = message<SessionInput>({
  checkoutId: text,
  merchantId: text,
  environment,
  timings: lookupTimings,
});

export interface SessionStateAnswer {
  readonly state: SessionState;
  readonly failureReason: SessionFailureReason | null;
}

export function stateOf({ state, failureReason }: SessionStateAnswer): SessionStateAnswer {
  return { state, failureReason };
}

/** `claimId` is the id of a row of clicks, and also the update's id. */
export const payUpdate = update<PayAnswer>()(
  'pay',
  message({ claimId: text }),
  'The buyer pays. { claimId } names a stored click; sent by the hosted page, not by hand.',
);
export const completeChallengeUpdate = update<SessionStateAnswer>()(
  'completeChallenge',
  message({ attemptId: text }),
  'The buyer returned from 3-D Secure. { attemptId }; looks the payment up at the rail.',
);
export const cancelUpdate = update<SessionStateAnswer>()(
  'cancel',
  message({ what: text }),
  'Ends the open attempt at the rail: { "what": "<its id>" } leaves the session payable, "session" ends it.',
);
export const resolveUpdate = update<SessionStateAnswer>()(
  'resolve',
  resolveCommand,
  'Settles a session that is reconciliation_required: { "outcome": "succeeded" | "failed", "operator", ' +
    '"reason", "evidence" }. The rail is asked once more, and its answer takes precedence; writes an audit row.',
);

export const MESSAGES = [
  payUpdate,
  completeChallengeUpdate,
  cancelUpdate,
  resolveUpdate,
  resolveRequestedSignal,
  railWebhookSignal,
  wakeSignal,
] as const;
export type SessionCommand = CommandOf<(typeof MESSAGES)[number]>;
