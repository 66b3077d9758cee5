/** Requests to a rail. */
import type { RailAccount } from './rail-account.ts';

export interface AccountCall {
  readonly account: RailAccount;
  /** Aborts the socket at the call's stored deadline (rule 3). */
  readonly signal: AbortSignal;
}

interface RailCall extends AccountCall {
  /**
   * The service's reference at the rail: the payment's or refund's id. Never reused for another attempt. An attempt has
   * the same reference in every copy of the database (rule 28), so a reference can arrive again with other content.
   */
  readonly reference: string;
}

/**
 * A call with effects, which uses `<payment id>:<operation>` as the rail's idempotency key. If the rail has seen the
 * key or the reference with other content, the outcome is `unknown` and `used_before`, never a second charge.
 */
export interface RailWrite extends RailCall {
  readonly idempotencyKey: string;
}

/** A processor's id that the service stores for an attempt. */
export type RailId =
  /** The customer under which the processor lists the attempt. */
  | { readonly railCustomer: string }
  /** The attempt itself. */
  | { readonly railReference: string };

/** A call that starts an attempt. */
interface AttemptStart extends RailWrite {
  /**
   * Stores a processor's id. If a processor charges in several steps, its adapter awaits this call between them: the
   * step that moves money is sent only after the ids are stored. Rejects once the call's deadline has passed; the
   * adapter must then send nothing more.
   */
  readonly storeId: (id: RailId) => Promise<void>;
}

/** The amount requested with the reference. Null allows any amount, because the rail's total decides. */
export interface AskedAmount {
  readonly amountCents: number | null;
  readonly currency: string;
}

/** A call about an earlier attempt. */
export interface AttemptCall extends RailCall, AskedAmount {
  readonly amountCents: number;
  /** The processor's id for the attempt, from `storeId` or an answer; null if none was stored. */
  readonly railReference: string | null;
  /** The processor's customer for the attempt, from `storeId`; null if none was stored. */
  readonly railCustomer: string | null;
  /**
   * When the attempt started, by the database's clock; limits the search in a processor's lists. Null before the first
   * send: if the rail knows the attempt anyway, a lost copy of the database sent it, at an unknown time (rule 28).
   */
  readonly begunAt: string | null;
}

export interface AuthorizeRequest extends AttemptStart {
  /** 0 moves no money, and stores a mandate with strong authentication (a trial). */
  readonly amountCents: number;
  readonly currency: string;
  /** Single-use token from the rail's card-field document. */
  readonly methodToken: string;
  /** The quantity that the buyer chose; null if there was no choice. The rail's list returns it (rule 29). */
  readonly quantity: number | null;
  /** True to store a mandate for later off-session charges. */
  readonly saveMandate: boolean;
  /** The URL to which the rail redirects the frame after the challenge. */
  readonly challengeReturnUrl: string;
}

export interface ChargeStoredRequest extends AttemptStart {
  readonly amountCents: number;
  readonly currency: string;
  readonly mandate: string;
  /**
   * When the charge is due by the subscription's clock, which a merchant may have moved ahead in the sandbox (rule 20).
   */
  readonly at?: string;
}

/** A read-only call about a payment that the processor knows, by its id there. */
export interface ChargeCall extends RailCall {
  readonly railReference: string;
}

export interface RefundCall extends ChargeCall, AskedAmount {
  /** The payment's reference; `railReference` is the processor's id of that payment. */
  readonly paymentReference: string;
}

export interface RefundRequest extends RefundCall, RailWrite {
  readonly amountCents: number;
}
