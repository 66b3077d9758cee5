/**
 * One checkout session as the workflow drives it, reduced to the decisions of `domain/`: every input (answer, rail
 * webhook, poll, expiry, buyer's cancel, operator) ends in `hear`, which computes the next states and moves. After each
 * step it asserts the invariants, whatever the order of events.
 */
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import { canTransitionPayment, isOpen, type PaymentStatus } from '../../../domain/payment/payment.ts';
import {
  canTransition,
  isFinal,
  lookupPlanOf,
  mustEnd,
  nextStates,
  type SessionFailureReason,
  type SessionState,
  type SessionView,
} from '../../../domain/session/session.ts';
import { type Charge, type Script, SETTLED, type SimulatedRail } from './simulated-rail.ts';

export const MAX_ATTEMPTS = 3;
const TIMINGS = { reconcileSeconds: [2, 5], reconcileLongSeconds: [300] };

interface Payment {
  readonly charge: Charge;
  status: PaymentStatus;
}

export class ModelledSession {
  state: SessionState = 'created';
  failureReason: SessionFailureReason | null = null;
  readonly payments: Payment[] = [];
  readonly rail: SimulatedRail;
  /** State kept in memory only. */
  #lookupsDone = 0;
  #expired = false;
  #cancelRequested = false;

  constructor(rail: SimulatedRail) {
    this.rail = rail;
  }

  pay(script: Script): void {
    if (this.state !== 'created' || this.#expired) return;
    const charge = this.rail.authorize(script);
    this.#moveTo('processing');
    this.#lookupsDone = 0;
    this.payments.push({ charge, status: 'processing' });
    this.#check();
  }

  /** The answer to a call, whenever it arrives; without one the call times out. */
  answer(attempt: number): void {
    const payment = this.payments[attempt];
    if (payment) this.#hear(payment, payment.charge.answer ?? { kind: 'unknown', reason: 'timeout' });
  }

  /** A rail webhook is only a hint, so the rail is queried first. */
  webhook(attempt: number): void {
    const payment = this.payments[attempt];
    if (payment) this.#hear(payment, this.rail.lookup(payment.charge));
  }

  poll({ answered }: { readonly answered: boolean }): void {
    const payment = this.#open();
    if (!payment) return;
    this.#lookupsDone += 1;
    this.#hear(payment, answered ? this.#lookupOrCancel(payment) : { kind: 'unknown', reason: 'timeout' });
  }

  /** The run is lost; the next one adopts the open state from the database. */
  restart(): void {
    this.#lookupsDone = 0;
  }

  expire(): void {
    if (isFinal(this.state)) return;
    this.#expired = true;
    this.#endOrCancel('expired');
  }

  cancelSession(): void {
    if (isFinal(this.state)) return;
    this.#cancelRequested = true;
    this.#endOrCancel('cancelled');
  }

  cancelAttempt(): void {
    const payment = this.#open();
    if (payment) this.#hear(payment, this.rail.cancel(payment.charge));
  }

  /**
   * An operator decides from the processor's dashboard; the rail is queried again and overrides the decision.
   */
  resolve(): void {
    const payment = this.#open();
    if (!payment || this.state !== 'reconciliation_required') return;
    const answer = this.rail.lookup(payment.charge);
    if (['approved', 'declined', 'cancelled'].includes(answer.kind)) {
      this.#hear(payment, answer);
      return;
    }
    if (!SETTLED.includes(payment.charge.truth)) return; // The processor's dashboard shows no outcome yet.
    const outcome = payment.charge.truth === 'approved' ? 'succeeded' : 'failed';
    this.#settle(payment, outcome, outcome, outcome === 'failed' ? 'resolved_by_operator' : null);
  }

  #open(): Payment | undefined {
    return this.payments.find(({ status }) => isOpen(status));
  }

  /** After expiry or a cancel, an open attempt is ended instead of watched. */
  #lookupOrCancel({ charge }: Payment): AttemptOutcome {
    return mustEnd(this.#view()) ? this.rail.cancel(charge) : this.rail.lookup(charge);
  }

  #endOrCancel(reason: SessionFailureReason): void {
    const payment = this.#open();
    if (payment) {
      this.#hear(payment, this.rail.cancel(payment.charge));
      return;
    }
    this.#moveTo('failed');
    this.failureReason = reason;
    this.#check();
  }

  #hear(payment: Payment, outcome: AttemptOutcome): void {
    if (!isOpen(payment.status)) return; // An ended attempt already has its answer.
    const next = nextStates(outcome, {
      attemptsUsed: this.payments.length,
      maxAttempts: MAX_ATTEMPTS,
      expired: this.#expired,
      cancelRequested: this.#cancelRequested,
      lookupTimeUp: lookupPlanOf(this.#view(), TIMINGS, {
        lookups: this.#lookupsDone,
        scheduledLookups: this.#lookupsDone,
      }).lookupTimeUp,
      settlesInDays: false,
      reconciling: this.state === 'reconciliation_required',
    });
    this.#settle(payment, next.payment, next.session, next.failureReason);
  }

  #settle(
    payment: Payment,
    status: PaymentStatus,
    state: SessionState,
    reason: SessionFailureReason | null,
  ): void {
    payment.status = moved(canTransitionPayment, payment.status, status);
    this.#moveTo(state);
    this.failureReason = reason;
    this.#check();
  }

  #view(): SessionView {
    const open = this.#open();
    return {
      checkoutId: 'ap_chk_1',
      state: this.state,
      version: 1,
      failureReason: this.failureReason,
      attempts: this.payments.length,
      maxAttempts: MAX_ATTEMPTS,
      expiresAt: '2026-01-01T00:30:00.000Z',
      msToExpiry: this.#expired ? 0 : 60_000,
      cancelRequested: this.#cancelRequested,
      openAttempt: open
        ? {
            attemptId: 'ap_pay_1',
            status: open.status,
            called: true,
            cancelRequested: false,
            msToChallengeEnd: null,
            settlesInDays: false,
          }
        : null,
    };
  }

  #moveTo(state: SessionState): void {
    this.state = moved(canTransition, this.state, state);
  }

  #check(): void {
    const open = this.payments.filter(({ status }) => isOpen(status));
    must(open.length <= 1, 'at most one payment is open');
    const waiting = ['processing', 'requires_action', 'reconciliation_required'].includes(this.state);
    must(waiting === (open.length === 1), `${this.state} with ${open.length} open payments`);
    must(
      (this.state === 'requires_action') === (open[0]?.status === 'requires_action'),
      'a challenge is one on both',
    );
    must((this.state === 'failed') === (this.failureReason !== null), 'a failed session says why');
    must(this.payments.length <= MAX_ATTEMPTS, 'no more attempts than allowed');
    must(this.charged().length <= 1, 'the buyer is charged at most once');
    if (this.state === 'created')
      must(this.#nothingCanBeCharged(), 'payable while an attempt may still be charged');
    if (this.state === 'failed')
      must(this.#nothingCanBeCharged(), 'failed while an attempt may still be charged');
    if (this.state === 'succeeded') must(this.charged().length === 1, 'succeeded without a charge');
  }

  charged(): readonly Payment[] {
    return this.payments.filter(({ charge }) => charge.truth === 'approved');
  }

  #nothingCanBeCharged(): boolean {
    return this.payments.every(({ charge }) => charge.truth !== 'approved' && SETTLED.includes(charge.truth));
  }
}

function moved<S extends string>(may: (from: S, to: S) => boolean, from: S, to: S): S {
  must(from === to || may(from, to), `an illegal move from ${from} to ${to}`);
  return to;
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}
