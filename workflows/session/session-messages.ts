/** A session's workflow as seen from outside: names, input and messages. */
import type { Environment } from '../../domain/core/environment.ts';
import type { LookupTimings } from '../../domain/core/lookup-schedule.ts';
import type { ResolveCommand, StoredRequest } from '../../domain/core/resolution.ts';
import type { PayAnswer, SessionFailureReason, SessionState } from '../../domain/session/session.ts';
import { onBareSignal, onSignal, onUpdate, update } from '../core/handlers.ts';
import type { Inbox } from '../core/inbox.ts';
import { RESOLVE_FIELDS, railNewsSignal, resolveRequestedSignal, wakeSignal } from '../core/messages.ts';
import { environment, lookupTimings, message, oneOf, text } from '../core/parse-message.ts';

export const CHECKOUT_WORKFLOW = 'checkout';

/** A method change and a payment link make the same promise as a checkout, and notify the subscription at their end. */
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

/** `claimId` names a row of pay_requests and is also the update id. */
export const payUpdate = update<PayAnswer, { readonly claimId: string }>(
  'pay',
  { claimId: text },
  'The buyer pays. { claimId } names a stored request; sent by the hosted page, not by hand.',
);
export const completeChallengeUpdate = update<SessionStateAnswer, { readonly paymentId: string }>(
  'completeChallenge',
  { paymentId: text },
  'The buyer returned from 3-D Secure. { paymentId }; looks the payment up at the rail.',
);
export const cancelUpdate = update<SessionStateAnswer, { readonly what: 'attempt' | 'session' }>(
  'cancel',
  { what: oneOf('attempt', 'session') },
  'Ends the open attempt at the rail: { "what": "attempt" } leaves the session payable, "session" ends it.',
);
export const resolveUpdate = update<SessionStateAnswer, ResolveCommand>(
  'resolve',
  RESOLVE_FIELDS,
  'Settles a session that is reconciliation_required: { "outcome": "succeeded" | "failed", "operator", ' +
    '"reason", "evidence" }. The rail is asked once more, and its answer takes precedence; writes an audit row.',
);

export type SessionCommand =
  | { readonly kind: 'pay'; readonly claimId: string }
  | { readonly kind: 'completeChallenge'; readonly paymentId: string }
  | { readonly kind: 'cancel'; readonly what: 'attempt' | 'session' }
  | { readonly kind: 'resolve'; readonly request: ResolveCommand | StoredRequest }
  | { readonly kind: 'railNews'; readonly paymentId: string }
  | { readonly kind: 'wake' };

/** Handlers enqueue, the main loop acts (rule 9). Call before the first await; validators check the message alone (rule 11). */
export function registerSessionHandlers(inbox: Inbox<SessionCommand>): void {
  onUpdate(payUpdate, ({ claimId }) => inbox.ask({ kind: 'pay', claimId }));
  onUpdate(completeChallengeUpdate, ({ paymentId }) => inbox.ask({ kind: 'completeChallenge', paymentId }));
  onUpdate(cancelUpdate, ({ what }) => inbox.ask({ kind: 'cancel', what }));
  onUpdate(resolveUpdate, (request) => inbox.ask({ kind: 'resolve', request }));
  onSignal(railNewsSignal, ({ paymentId }) => inbox.put({ kind: 'railNews', paymentId }));
  onSignal(resolveRequestedSignal, (request) => inbox.put({ kind: 'resolve', request }));
  onBareSignal(
    wakeSignal,
    () => inbox.put({ kind: 'wake' }),
    'The session is overdue: its row is read again, and the rail is asked about an open attempt.',
  );
}
