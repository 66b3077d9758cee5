/** What an adapter's test brings along, so that the contract can put its rail through everything. */
import type { Environment } from '../../../domain/environment.ts';
import type { Rail, RailAccount, RailCapabilities, RailTrust } from '../../../rail/rail.ts';

/** How a card behaves; the driver knows a test card or a token of its processor for each. */
export type CardBehaviour =
  | 'approved'
  | 'declined'
  | 'insufficientFunds'
  | 'challenge'
  /** Pending, and approved by itself after a moment. */
  | 'pending'
  /** Approved and stored; later charges without the buyer are … */
  | 'laterNeedsBuyer'
  | 'laterHardDecline'
  | 'laterSoftDecline';

export type FaultKind =
  /** The connection breaks, and nothing was done. */
  | 'dropBefore'
  /** It breaks when everything was done. */
  | 'dropAfter'
  | 'serverError'
  | 'rateLimited'
  | 'lockTimeout'
  /** Done, but the answer is cut off. */
  | 'truncated'
  /** Done, but the answer is none of the processor's. */
  | 'garbage'
  /** The call is carried out only after `delayMs`. */
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
  /** Another merchant's, as good, with secrets of its own. */
  readonly otherAccount: RailAccount;
  /** At the processor it is disabled; we have not heard of it yet. */
  readonly disabledAccount: RailAccount;
  /** The same adapter, pointed at an address where nobody listens. */
  readonly unreachableRail: Rail;
  /** A single-use token of the account. */
  token(behaviour: CardBehaviour): Promise<string>;
  /** Answers the bank for the buyer. */
  completeChallenge(url: string, result: 'approve' | 'fail'): Promise<void>;
  /** Every time that money was taken for the reference, by the processor's own books: cents. */
  charges(reference: string): Promise<readonly number[]>;
  /** Likewise for money that went back to the payment's buyer, whatever the refund's reference. */
  refunds(references: readonly string[]): Promise<readonly number[]>;
  /** How many calls the processor has received. */
  callsReceived(): Promise<number>;
  /** Strikes the next `count` (1) calls of the operation. */
  fault(operation: FaultyOperation, kind: FaultKind, options?: FaultOptions): Promise<void>;
  /** Waits for a webhook that the processor really sent about the reference. */
  webhookAbout(reference: string): Promise<SentWebhook>;
  /** Signs as the processor does for the account. */
  sign(account: RailAccount, rawBody: Buffer, unixSeconds: number): SentWebhook['headers'];
  /** Everything that adapter and counterpart have logged so far. */
  logs(): string;
  /** What may appear in no log, card numbers included. */
  readonly neverLogged: readonly string[];
  close(): Promise<void>;
}

export interface FaultOptions {
  readonly count?: number;
  readonly delayMs?: number;
}

export interface Subject {
  /** Shown in the tests' names. */
  readonly name: string;
  /** Known before the driver runs: what an adapter does not promise is not asked of it. */
  readonly trust: RailTrust;
  start(): Promise<RailDriver>;
}

/** The running driver; the parts of the contract take it when a test runs. */
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
