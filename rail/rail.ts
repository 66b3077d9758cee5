/**
 * The interface to card processors: what the service needs from all of them, and nothing that only one of
 * them has. Adapters return outcomes as data and throw only on bugs; each classifies its errors in one table.
 * Adding a rail changes no file outside `rail/` and the configuration.
 */
import type { AttemptOutcome, DeclineCode, UnknownReason } from '../domain/attempt.ts';
import type { DisputeAtRail } from '../domain/dispute.ts';
import type { Environment } from '../domain/environment.ts';
import type { MethodSummary } from '../domain/payment-method.ts';
import type { RailCapabilities } from '../domain/rail-capabilities.ts';
import type { AccountContents, SourceSubscription } from './account-contents.ts';

/** What a processor guarantees when an answer is lost (rule 4). */
export interface RailTrust {
  /** Repeating a call with the same key never charges twice and returns the first answer. */
  readonly idempotentAuthorize: boolean;
  /**
   * A cancel also stops a call that is still in flight, even one that the processor has not received yet:
   * after `cancelled` no charge can appear.
   */
  readonly cancelHolds: boolean;
  /** Upper bound until `lookup` sees a call that reached the processor. */
  readonly lookupLagMs: number;
  /** Upper bound until `lookup` sees any call with a reference, including one from a lost copy of the database. */
  readonly searchLagMs: number;
}

/** A merchant's account at a processor, with its credential decrypted. */
export interface RailAccount {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly rail: string;
  readonly status: 'activating' | 'active' | 'disabled';
  readonly capabilities: RailCapabilities;
  /** Secret. Only the adapter knows its shape; it never appears in an error or a log. */
  readonly credential: Readonly<Record<string, string>>;
}

/** The rail's answer, with everything that the service stores of it. */
export type RailOutcome =
  | {
      readonly kind: 'approved';
      /** The processor's id of the charge. */
      readonly railReference: string;
      readonly method: MethodSummary | null;
      /** Secret reference of the stored mandate, if one was requested. */
      readonly mandate: string | null;
    }
  | {
      readonly kind: 'declined';
      readonly code: DeclineCode;
      /** False for a hard decline: the same card must not be tried again. */
      readonly retryable: boolean;
      readonly railReference: string | null;
      readonly method: MethodSummary | null;
    }
  | {
      readonly kind: 'challenge';
      /** The 3-D Secure page, framed by a separate child document. */
      readonly url: string;
      readonly railReference: string;
      readonly method: MethodSummary | null;
    }
  | { readonly kind: 'pending'; readonly railReference: string | null; readonly method: MethodSummary | null }
  | { readonly kind: 'cancelled'; readonly railReference: string | null }
  | { readonly kind: 'notFound' }
  | RailUnknown;

/** The outcome is not known yet. `account_refused` disables the account, `misconfigured` alerts the operator. */
export interface RailUnknown {
  readonly kind: 'unknown';
  readonly reason: UnknownReason;
  /** For the operator: codes and the processor's request id, never its text, which may contain secrets. */
  readonly detail?: string;
}

interface RailCall {
  readonly account: RailAccount;
  /**
   * Our reference at the rail: the payment id or the refund id. Never reused for something else, but the same for
   * the same attempt in every copy of the database: after a restore it can arrive again with other content.
   */
  readonly reference: string;
  /** Aborts the socket at the call's stored deadline (rule 3). */
  readonly signal: AbortSignal;
}

/**
 * A call with effects carries `<payment id>:<operation>` as the rail's idempotency key. A key or reference that the
 * rail has seen with other content is answered with `unknown` and `used_before`, never with a second charge.
 */
interface RailWrite extends RailCall {
  readonly idempotencyKey: string;
}

/** A processor's id that the service stores for an attempt. */
export type RememberedId =
  /** The customer under which the processor lists the attempt. */
  | { readonly railCustomer: string }
  /** The attempt itself. */
  | { readonly railReference: string };

/** A call that starts an attempt. */
interface AttemptStart extends RailWrite {
  /**
   * Stores a processor's id. An adapter whose processor charges in several steps awaits this between them:
   * the step that moves money is sent only after the ids are stored. Rejects once the call's deadline has
   * passed; the adapter must then send nothing more.
   */
  readonly remember: (id: RememberedId) => Promise<void>;
}

/** A call about an earlier attempt. */
interface AttemptCall extends RailCall {
  /** The processor's id of the attempt, from `remember` or an answer; null if none was stored. */
  readonly railReference: string | null;
  /** The processor's customer of the attempt, from `remember`; null if none was stored. */
  readonly railCustomer: string | null;
  /**
   * When the attempt started, by the database's clock: bounds the search in a processor's lists. Null before the
   * first send: then only a lost copy of the database can have sent it, at any time (rule 28).
   */
  readonly begunAt: string | null;
}

export interface AuthorizeRequest extends AttemptStart {
  /** 0 stores a mandate with strong authentication and moves no money (a trial). */
  readonly amountCents: number;
  readonly currency: string;
  /** Single-use token from the rail's card-field document. */
  readonly methodToken: string;
  /** Store a mandate for later off-session charges. */
  readonly saveMandate: boolean;
  /** Where the rail redirects the frame after the challenge. */
  readonly challengeReturnUrl: string;
}

export interface ChargeStoredRequest extends AttemptStart {
  readonly amountCents: number;
  readonly currency: string;
  readonly mandate: string;
}

/** A read-only call about a payment that the processor has, by its id there. */
interface ChargeCall extends RailCall {
  readonly railReference: string;
}

interface RefundCall extends ChargeCall {
  /** The payment's reference; `railReference` is the processor's id of that payment. */
  readonly paymentReference: string;
}

export interface RefundRequest extends RefundCall, RailWrite {
  readonly amountCents: number;
  readonly currency: string;
}

export type RefundOutcome =
  | { readonly kind: 'succeeded'; readonly railReference: string }
  | { readonly kind: 'pending'; readonly railReference: string }
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'notFound' }
  | RailUnknown;

/** All refunds of a payment, whoever made them: this service, or a person in the processor's dashboard. */
export type RefundedTotal =
  | {
      readonly kind: 'total';
      /** Back with the buyer. */
      readonly refundedCents: number;
      /** On its way; can still fail. */
      readonly pendingCents: number;
    }
  | { readonly kind: 'notFound' }
  | RailUnknown;

export type DisputesOutcome =
  | { readonly kind: 'disputes'; readonly disputes: readonly DisputeAtRail[] }
  | { readonly kind: 'notFound' }
  | RailUnknown;

/** A charge as `listSince` reports it, to find charges that the service does not know. */
export interface RailCharge {
  readonly reference: string;
  readonly outcome: AttemptOutcome['kind'];
  readonly amountCents: number;
  readonly currency: string;
  readonly at: string;
}

/** A refund as `listRefundsSince` reports it. */
export interface RailRefund {
  readonly reference: string;
  /** The refunded payment: our reference or the processor's id, whichever the processor lists. */
  readonly payment: string;
  readonly outcome: 'succeeded' | 'pending' | 'failed';
  readonly amountCents: number;
  readonly currency: string;
  readonly at: string;
}

/** The rail's lists have no "unknown" outcome: they throw, and the caller retries later. */
export class RailListFailed extends Error {
  override readonly name = 'RailListFailed';
  readonly reason: UnknownReason;

  constructor(rail: string, reason: UnknownReason) {
    super(`listing at ${rail} failed: ${reason}`);
    this.reason = reason;
  }
}

/** An inbound webhook's content: verified, stored, answered 200, and treated as a hint that triggers a look-up. */
export interface RailNews {
  /** The rail's event id, the unique key of the stored news. */
  readonly railEventId: string;
  /** Our reference (a payment or refund id); null if the rail sent none. */
  readonly reference: string | null;
  /** The processor's id of the payment, where it sent no reference: its disputes carry none. */
  readonly railReference?: string;
  /** `refund_failed`: an accepted refund did not reach the buyer. `dispute`: one was opened, changed or decided. */
  readonly hint: AttemptOutcome['kind'] | 'refunded' | 'refund_failed' | 'dispute' | 'other';
}

/** The webhook's signature is missing, malformed, stale or wrong. */
export class RailWebhookInvalid extends Error {
  override readonly name = 'RailWebhookInvalid';
}

/** The page around the card fields, and the amount that a wallet's sheet shows. */
interface RailPage {
  readonly origin: string;
  readonly language: string;
  readonly amountCents: number;
  readonly currency: string;
}

/** What the hosted page needs to embed the rail's card fields (protocol: `rail/README.md`). */
export interface RailPublicConfig {
  /** Document for the iframe. */
  readonly fieldsUrl: string;
  /** The only origin whose messages the page accepts. */
  readonly fieldsOrigin: string;
  /** The document simulates its wallets: they work on any device, and the page labels them as simulated. */
  readonly simulatedWallets: boolean;
}

/**
 * Moves what the merchant already has at the processor into the service. A subscription is stopped there, then written
 * here, then ended there (rule 46).
 */
export interface AccountSource {
  /** @throws RailListFailed */
  read(account: RailAccount, signal: AbortSignal): Promise<AccountContents>;
  /**
   * Keeps the processor from renewing the subscription after its paid time. Idempotent; the answer is the subscription
   * as it stands afterwards, whose period can no longer change.
   * @param movedTo our id, which the processor keeps with it
   */
  stop(
    call: SubscriptionCall,
  ): Promise<{ readonly kind: 'stopped'; readonly value: SourceSubscription } | RailUnknown>;
  /** Ends it at the processor at once, for ever, without a credit or an invoice. Idempotent. */
  end(call: SubscriptionCall): Promise<{ readonly kind: 'ended' } | RailUnknown>;
}

export interface SubscriptionCall {
  readonly account: RailAccount;
  /** The processor's. */
  readonly id: string;
  readonly movedTo: string;
  readonly signal: AbortSignal;
}

export interface Rail {
  readonly name: string;
  readonly trust: RailTrust;
  authorize(request: AuthorizeRequest): Promise<RailOutcome>;
  /**
   * The outcome of `reference`; never sends anything that could move money. `notFound` also for an attempt
   * that the processor has but was never asked to charge.
   */
  lookup(request: AttemptCall): Promise<RailOutcome>;
  /**
   * Ends an attempt. `approved` if the charge was faster; `notFound` if the processor has no such attempt and
   * cannot keep one from appearing. With a `railReference`, `cancelled` is final.
   */
  cancel(request: AttemptCall & RailWrite): Promise<RailOutcome>;
  chargeStored(request: ChargeStoredRequest): Promise<RailOutcome>;
  refund(request: RefundRequest): Promise<RefundOutcome>;
  lookupRefund(request: RefundCall): Promise<RefundOutcome>;
  /** How much of a payment is refunded, also by refunds that this service did not make. */
  refundedTotal(request: ChargeCall): Promise<RefundedTotal>;
  /** The disputes of a payment, decided ones included. */
  listDisputes(request: ChargeCall): Promise<DisputesOutcome>;
  /**
   * Every attempt since an instant, whatever its outcome; in no order.
   * @throws RailListFailed
   */
  listSince(account: RailAccount, sinceInstant: string, signal: AbortSignal): Promise<readonly RailCharge[]>;
  /**
   * Refunds since an instant that carry a reference of ours.
   * @throws RailListFailed
   */
  listRefundsSince(
    account: RailAccount,
    sinceInstant: string,
    signal: AbortSignal,
  ): Promise<readonly RailRefund[]>;
  /** @throws RailWebhookInvalid */
  parseWebhook(
    account: RailAccount,
    rawBody: Buffer,
    headers: Readonly<Record<string, string | undefined>>,
  ): RailNews;
  /** Depends on its arguments alone: the page keeps what it returns. */
  publicConfig(account: RailAccount, page: RailPage): RailPublicConfig;
  /**
   * For a processor that ships its card fields as a script: the document around that script. The API serves
   * it under `/rails/<rail>/<account id>/fields` with the query of `publicConfig`'s URL.
   */
  readonly fieldsDocument?: (account: RailAccount, request: FieldsDocumentRequest) => FieldsDocument;
  /** The names in `RailAccount.credential`, for the operator who sets up an account. */
  readonly credentialFields?: readonly RailCredentialField[];
  /** Finds out whether and how the account can take money; moves none. Never throws on a refusal. */
  readonly probe?: (account: RailAccount, signal: AbortSignal) => Promise<RailProbe>;
  /** Absent: nothing can be imported. */
  readonly source?: AccountSource;
}

export interface FieldsDocumentRequest {
  readonly query: URLSearchParams;
  /** The only origin that may frame the document. */
  readonly pageOrigin: string;
  /** For the document's own scripts and styles. */
  readonly nonce: string;
  /** The adapter's bundled browser script (`rail/<rail>/browser/fields.ts`). */
  readonly scriptUrl: string;
  /** The script's hash, for the attribute `integrity`. */
  readonly scriptIntegrity: string;
}

export interface FieldsDocument {
  readonly html: string;
  readonly contentSecurityPolicy: string;
  /** Permissions-Policy header; without `payment`, browsers disable wallets in a frame. */
  readonly permissionsPolicy: string;
}

export interface RailCredentialField {
  readonly name: string;
  /** Where `npm run ops -- rail set` reads it; never an argument, which other users of the machine can see. */
  readonly environmentVariable: string;
  readonly description: string;
}

export interface RailProbe {
  /** The account can take cards now, in at least one currency in which the service sells. */
  readonly usable: boolean;
  /**
   * The processor's id of the account; a different id is a different account. Null if the processor did not
   * say, or if the credential cannot belong to this account (wrong mode); the credential is then not stored.
   */
  readonly identity: string | null;
  readonly capabilities: RailCapabilities;
  /** One sentence each, for the operator: what the account can do, and what it cannot and why. */
  readonly findings: readonly { readonly ok: boolean; readonly text: string }[];
}
