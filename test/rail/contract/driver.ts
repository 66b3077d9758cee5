/** An adapter's test supplies this to run the contract. */
import type { Environment } from '../../../domain/core/environment.ts';
import type { RailCapabilities } from '../../../domain/payment/rail-capabilities.ts';
import type { Rail, RailTrust } from '../../../rail/rail.ts';
import type { RailAccount } from '../../../rail/rail-account.ts';

/** Card behaviours; the driver maps each to a test card or token of its processor. */
export type CardBehaviour =
  | 'approved'
  | 'declined'
  | 'insufficientFunds'
  | 'challenge'
  /** Pending at first, approved shortly afterwards. */
  | 'pending'
  /** Approved and stored; the name says how later off-session charges end. */
  | 'laterNeedsBuyer'
  | 'laterHardDecline'
  | 'laterSoftDecline';

export type FaultKind =
  /** The connection breaks before the call takes effect. */
  | 'dropBefore'
  /** The connection breaks after the call has taken effect. */
  | 'dropAfter'
  | 'serverError'
  | 'rateLimited'
  | 'lockTimeout'
  /** Takes effect, but the answer is cut off. */
  | 'truncated'
  /** Takes effect, but something else answers instead of the processor. */
  | 'garbage'
  /** The call takes effect after `delayMs`. */
  | 'slow';

export type FaultyOperation = 'authorize' | 'lookup' | 'cancel' | 'chargeStored' | 'refund';

export interface SentWebhook {
  readonly rawBody: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface RailDriver {
  readonly rail: Rail;
  /** Active, with every capability declared. */
  readonly account: RailAccount;
  /** Another merchant's account with the same capabilities and its own secrets. */
  readonly otherAccount: RailAccount;
  /** Disabled at the processor, still active in the service. */
  readonly disabledAccount: RailAccount;
  /** The same adapter with an unreachable address. */
  readonly unreachableRail: Rail;
  /** A single-use token of the account. */
  token(behaviour: CardBehaviour): Promise<string>;
  /** Acts for the buyer at the bank. */
  completeChallenge(url: string, result: 'approve' | 'fail'): Promise<void>;
  /** The amounts charged for the reference, from the processor's books, in cents. */
  charges(reference: string): Promise<readonly number[]>;
  /** The amounts refunded under these references, from the processor's books, in cents. */
  refunds(references: readonly string[]): Promise<readonly number[]>;
  /** The number of calls that the processor has received. */
  callsReceived(): Promise<number>;
  /** Affects the next `count` (default 1) calls of the operation. */
  fault(operation: FaultyOperation, kind: FaultKind, options?: FaultOptions): Promise<void>;
  /** Waits for a real webhook from the processor about the reference. */
  webhookAbout(reference: string): Promise<SentWebhook>;
  /** The buyer's bank disputes the payment. */
  openDispute(payment: DisputedPayment): Promise<void>;
  decideDispute(payment: DisputedPayment, status: 'won' | 'lost'): Promise<void>;
  /** Waits for a real webhook from the processor about the payment's dispute. */
  webhookAboutDispute(payment: DisputedPayment): Promise<SentWebhook>;
  /** Signs the body as the processor would for this account. */
  sign(account: RailAccount, rawBody: Buffer, unixSeconds: number): SentWebhook['headers'];
  /** The log output of the adapter and the processor so far. */
  logs(): string;
  /** Secrets and card numbers that must not appear in any log. */
  readonly neverLogged: readonly string[];
  close(): Promise<void>;
}

interface DisputedPayment {
  readonly reference: string;
  readonly railReference: string;
}

interface FaultOptions {
  readonly count?: number;
  readonly delayMs?: number;
}

export interface Subject {
  /** Appears in the tests' names. */
  readonly name: string;
  /** Available before the driver runs, so that tests of guarantees that the adapter lacks can be skipped. */
  readonly trust: RailTrust;
  start(): Promise<RailDriver>;
}

/** The running driver, available only while tests run. */
export type World = () => RailDriver;

export function accountOf(
  rail: string,
  id: string,
  capabilities: RailCapabilities,
  credential: Readonly<Record<string, string>>,
): RailAccount {
  const environment: Environment = 'sandbox';
  return { id, merchantId: `ap_mer_${id}`, environment, rail, status: 'active', capabilities, credential };
}
