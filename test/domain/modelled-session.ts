/**
 * One checkout session as the workflow drives it, reduced to what `domain/` decides: every arm (answer, rail
 * webhook, poll, expiry, buyer's cancel, operator) ends in `hear`, which judges and moves. It asserts after
 * each step what must hold at any moment, whatever the order was.
 */
import type { AttemptOutcome } from '../../domain/attempt.ts';
import { canMovePayment, isOpen, type PaymentStatus } from '../../domain/payment.ts';
import {
  canMove,
  isFinal,
  judge,
  type SessionFailureReason,
  type SessionState,
} from '../../domain/session.ts';
import { mustEnd, patienceOver, type SessionView } from '../../domain/session-plan.ts';
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
  /** In the run's memory only, unlike all the rest. */
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

  /** The answer of a call, whenever it comes; a call without one ends in a time-out. */
  answer(attempt: number): void {
    const payment = this.payments[attempt];
    if (payment) this.#hear(payment, payment.charge.answer ?? { kind: 'unknown', reason: 'timeout' });
  }

  /** A rail webhook is a hint: the rail is asked again before it is believed. */
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

  /** The run is lost; the next one adopts what the database says is open. */
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

  /** An operator who reads the processor's dashboard; the rail is asked once more and outranks them. */
  resolve(): void {
    const payment = this.#open();
    if (!payment || this.state !== 'reconciliation_required') return;
    const answer = this.rail.lookup(payment.charge);
    if (['approved', 'declined', 'cancelled'].includes(answer.kind)) {
      this.#hear(payment, answer);
      return;
    }
    if (!SETTLED.includes(payment.charge.truth)) return; // Nothing to be read in the dashboard yet.
    const outcome = payment.charge.truth === 'approved' ? 'succeeded' : 'failed';
    this.#settle(payment, outcome, outcome, outcome === 'failed' ? 'resolved_by_operator' : null);
  }

  #open(): Payment | undefined {
    return this.payments.find(({ status }) => isOpen(status));
  }

  /** Once the session's time is over, or the buyer gave it up, an open attempt is ended rather than watched. */
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
    if (!isOpen(payment.status)) return; // An ended attempt has had its answer.
    const judgement = judge(outcome, {
      attemptsUsed: this.payments.length,
      maxAttempts: MAX_ATTEMPTS,
      expired: this.#expired,
      cancelRequested: this.#cancelRequested,
      patienceOver: patienceOver(this.#view(), this.#lookupsDone, TIMINGS),
      settlesInDays: false,
      reconciling: this.state === 'reconciliation_required',
    });
    this.#settle(payment, judgement.payment, judgement.checkout, judgement.failureReason);
  }

  #settle(
    payment: Payment,
    status: PaymentStatus,
    state: SessionState,
    reason: SessionFailureReason | null,
  ): void {
    payment.status = moved(canMovePayment, payment.status, status);
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
      openPayment: open
        ? { paymentId: 'ap_pay_1', status: open.status, called: true, msToChallengeEnd: null }
        : null,
    };
  }

  #moveTo(state: SessionState): void {
    this.state = moved(canMove, this.state, state);
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

/** One move, or two by way of `processing`, which every way out of a challenge but its end takes. */
function moved<S extends string>(can: (from: S, to: S) => boolean, from: S, to: S): S {
  const viaProcessing = can(from, 'processing' as S) && can('processing' as S, to);
  must(from === to || can(from, to) || viaProcessing, `an illegal move from ${from} to ${to}`);
  return to;
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}
