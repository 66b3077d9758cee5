/**
 * The boundary to card processors: what the service needs of any of them, and nothing that only one
 * of them has. Adapters return outcomes as data and throw only on bugs; each classifies its own
 * errors in one table. No file outside `rail/` and configuration changes when a rail is added.
 */
import type { AttemptOutcome, DeclineCode, UnknownReason } from '../domain/attempt.ts';
import type { Environment } from '../domain/environment.ts';

/** How a rail account may be used. What is not declared is refused before any call. */
export interface RailCapabilities {
  /** Card fields can be embedded in the hosted page. */
  readonly cardFields: boolean;
  /** Mandates can be stored and charged later without the buyer. */
  readonly recurring: boolean;
  /** Wallets that the account has enabled, as the contract names them (`apple_pay`, `google_pay`). */
  readonly wallets: readonly WalletName[];
  readonly refunds: boolean;
  /** ISO 4217 codes that the account can charge. */
  readonly currencies: readonly string[];
}

export type WalletName = 'apple_pay' | 'google_pay';

/** How far an adapter's processor can be trusted when an answer was lost (rule 4). */
export interface RailTrust {
  /** The same key sent again never charges twice, and answers as the first time. */
  readonly idempotentAuthorize: boolean;
  /**
   * A cancel also stops a call that is still under way, even one of which the processor has not heard yet:
   * after `cancelled` no charge can appear.
   */
  readonly cancelHolds: boolean;
  /** After this long, a call that reached the processor is visible to `lookup`. */
  readonly lookupLagMs: number;
}

/** A merchant's account at a processor, its credential decrypted, as adapters receive it. */
export interface RailAccount {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly rail: string;
  readonly status: 'activating' | 'active' | 'disabled';
  readonly capabilities: RailCapabilities;
  /** Secret. The adapter alone knows its shape; it appears in no error and no log. */
  readonly credential: Readonly<Record<string, string>>;
}

export interface CardSummary {
  readonly type: 'card' | WalletName;
  readonly brand: string | null;
  readonly last4: string | null;
}

/** An answer of the rail with everything the service keeps of it. */
export type RailOutcome =
  | {
      readonly kind: 'approved';
      /** The processor's own id of the charge. */
      readonly railReference: string;
      readonly method: CardSummary | null;
      /** Secret reference of the stored mandate, when one was asked for. */
      readonly mandate: string | null;
    }
  | {
      readonly kind: 'declined';
      readonly code: DeclineCode;
      /** False for a hard decline: the same card must not be tried again. */
      readonly retryable: boolean;
      readonly railReference: string | null;
      readonly method: CardSummary | null;
    }
  | {
      readonly kind: 'challenge';
      /** Where the buyer's browser does 3-D Secure; framed in a child document of its own. */
      readonly url: string;
      readonly railReference: string;
      readonly method: CardSummary | null;
    }
  | { readonly kind: 'pending'; readonly railReference: string | null; readonly method: CardSummary | null }
  | { readonly kind: 'cancelled'; readonly railReference: string | null }
  | { readonly kind: 'notFound' }
  | RailUnknown;

/** Nobody knows yet. An account that is refused is disabled, one that is misconfigured alerts its operator. */
export interface RailUnknown {
  readonly kind: 'unknown';
  readonly reason: UnknownReason;
  /** For the operator: codes and the processor's request id, never its text, which may hold secrets. */
  readonly detail?: string;
}

interface RailCall {
  readonly account: RailAccount;
  /** Our reference at the rail: the payment id (refunds: the refund id). Unique for ever. */
  readonly reference: string;
  /** Aborts the socket at the call's stored deadline (rule 3). */
  readonly signal: AbortSignal;
}

/** A call that changes something carries `<payment id>:<operation>` as the rail's idempotency key. */
interface RailWrite extends RailCall {
  readonly idempotencyKey: string;
}

/** An id of the processor's that the service keeps of an attempt. */
export type RememberedId =
  /** Of the customer that the processor lists the attempt under. */
  | { readonly railCustomer: string }
  /** Of the attempt itself. */
  | { readonly railReference: string };

/** A call that begins an attempt. */
interface AttemptStart extends RailWrite {
  /**
   * Keeps an id of the processor's. An adapter whose processor creates an attempt and moves its money in several
   * steps awaits this between them, so that what can move money is never sent for an id that could be lost.
   * Rejects when the call's time is over: then nothing more may be sent.
   */
  readonly remember: (id: RememberedId) => Promise<void>;
}

/** A call about an attempt that was begun earlier. */
interface AttemptCall extends RailCall {
  /** The processor's own id of the attempt, as `remember` or an answer gave it; null when there was none. */
  readonly railReference: string | null;
  /** The processor's customer that it was begun for, as `remember` gave it; null when there was none. */
  readonly railCustomer: string | null;
  /** When the attempt was begun, by the database's clock: where to look in a processor's list. */
  readonly begunAt: string;
}

export interface AuthorizeRequest extends AttemptStart {
  /** Integer cents; 0 stores a mandate with strong authentication and moves no money (a trial). */
  readonly amountCents: number;
  readonly currency: string;
  /** Single-use token that the rail's card-field document gave to the page. */
  readonly methodToken: string;
  /** Store a mandate for later charges without the buyer. */
  readonly saveMandate: boolean;
  /** Where the rail sends the challenge's frame when the challenge is over. */
  readonly challengeReturnUrl: string;
}

export interface ChargeStoredRequest extends AttemptStart {
  readonly amountCents: number;
  readonly currency: string;
  readonly mandate: string;
}

interface RefundCall extends RailCall {
  /** The payment's reference and the processor's id of it. */
  readonly paymentReference: string;
  readonly railReference: string;
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

/** A charge as `listSince` reports it, to find what the service does not know of. */
export interface RailCharge {
  readonly reference: string;
  readonly outcome: AttemptOutcome['kind'];
  readonly amountCents: number;
  readonly currency: string;
  readonly at: string;
}

/** Inbound news: verified, stored, answered 200, and passed on as a hint that triggers a look-up. */
export interface RailNews {
  /** The rail's own event id: the unique key under which the news is stored. */
  readonly railEventId: string;
  /** Our reference (a payment or refund id), null when the rail sent none. */
  readonly reference: string | null;
  /** `refund_failed`: money that was on its way back to the buyer is not. */
  readonly hint: AttemptOutcome['kind'] | 'refunded' | 'refund_failed' | 'other';
}

/** The webhook's signature is missing, malformed, stale or does not match. */
export class RailWebhookInvalid extends Error {
  override readonly name = 'RailWebhookInvalid';
}

/** The page around the card fields, and what is about to be paid in it: a wallet's sheet shows that. */
export interface RailPage {
  readonly origin: string;
  readonly language: string;
  readonly amountCents: number;
  readonly currency: string;
}

/** What the hosted page needs to embed the rail's card fields (message protocol: docs in `rail/README.md`). */
export interface RailPublicConfig {
  /** Document for the iframe; it speaks `ready`, `change`, `token`, `error`, `height`. */
  readonly fieldsUrl: string;
  /** The only origin whose messages the page believes. */
  readonly fieldsOrigin: string;
  /** Wallets are played by the document itself: they need no device of their own, and the page says so. */
  readonly simulatedWallets: boolean;
}

export interface Rail {
  readonly name: string;
  readonly trust: RailTrust;
  authorize(request: AuthorizeRequest): Promise<RailOutcome>;
  /**
   * Asks what became of `reference`; never sends anything that could move money. `notFound` also for an
   * attempt that the processor has but was never told to charge.
   */
  lookup(request: AttemptCall): Promise<RailOutcome>;
  /**
   * Ends an attempt. `approved` when the charge was faster; `notFound` when the processor has no such attempt
   * and can keep none from appearing. `cancelled` of an attempt known by its `railReference` is final.
   */
  cancel(request: AttemptCall & RailWrite): Promise<RailOutcome>;
  chargeStored(request: ChargeStoredRequest): Promise<RailOutcome>;
  refund(request: RefundRequest): Promise<RefundOutcome>;
  lookupRefund(request: RefundCall): Promise<RefundOutcome>;
  listSince(account: RailAccount, sinceInstant: string, signal: AbortSignal): Promise<readonly RailCharge[]>;
  /** @throws RailWebhookInvalid */
  parseWebhook(
    account: RailAccount,
    rawBody: Buffer,
    headers: Readonly<Record<string, string | undefined>>,
  ): RailNews;
  publicConfig(account: RailAccount, page: RailPage): RailPublicConfig;
  /**
   * For a processor whose card fields are a script and no document: the document around that script, which the
   * API serves under `/rails/<rail>/<account id>/fields` with the query of `publicConfig`'s URL.
   */
  readonly fieldsDocument?: (account: RailAccount, request: FieldsDocumentRequest) => FieldsDocument;
  /** What an operator gives for an account of this rail: the names of `RailAccount.credential`. */
  readonly credentialFields?: readonly RailCredentialField[];
  /** Asks the processor whether the account can take money, and how; moves none. Never throws on a refusal. */
  readonly probe?: (account: RailAccount, signal: AbortSignal) => Promise<RailProbe>;
}

export interface FieldsDocumentRequest {
  readonly query: URLSearchParams;
  /** The only page that may frame the document. */
  readonly pageOrigin: string;
  /** For every script and style that the document itself brings. */
  readonly nonce: string;
  /** The adapter's own script for browsers (`rail/<rail>/browser/fields.ts`), bundled. */
  readonly scriptUrl: string;
}

export interface FieldsDocument {
  readonly html: string;
  readonly contentSecurityPolicy: string;
  /** Of what browsers ask before they let a frame pay. */
  readonly permissionsPolicy: string;
}

export interface RailCredentialField {
  readonly name: string;
  /** Where `npm run ops -- rail set` reads it; never from the command line, which others can see. */
  readonly environmentVariable: string;
  readonly description: string;
}

export interface RailProbe {
  /** The account can take cards in EUR now. */
  readonly usable: boolean;
  /**
   * The processor's own id of the account; another one is another account. Null when it did not say, also because
   * the credential can be none of this account's (of the other mode): then nothing of it is stored.
   */
  readonly identity: string | null;
  readonly capabilities: RailCapabilities;
  /** For people, one sentence each: what the account can do, and what it cannot and why. */
  readonly findings: readonly { readonly ok: boolean; readonly text: string }[];
}
