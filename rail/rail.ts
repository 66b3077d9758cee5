/**
 * The interface to card processors: the calls that the service needs from every processor, and none that only one
 * processor has. Adapters return outcomes as data and throw only on bugs; each classifies its errors in one table. A
 * new rail needs no changes outside `rail/` and the configuration.
 */
import type { AccountSource } from './account-source.ts';
import type { FieldsDocument, FieldsDocumentRequest, RailPage, RailPublicConfig } from './card-fields.ts';
import type { RailCharge, RailDispute, RailRefund } from './lists.ts';
import type {
  AccountAnswer,
  DisputesOutcome,
  RailOutcome,
  RefundedTotal,
  RefundOutcome,
} from './outcomes.ts';
import type { RailAccount, RailCredentialField, RailProbe } from './rail-account.ts';
import type {
  AccountCall,
  AttemptCall,
  AuthorizeRequest,
  ChargeCall,
  ChargeStoredRequest,
  RailWrite,
  RefundCall,
  RefundRequest,
} from './requests.ts';
import type { RailWebhook } from './webhook.ts';

/** A processor's guarantees when an answer is lost (rule 4). */
export interface RailTrust {
  /** A repeated call with the same key never charges twice, and returns the first answer. */
  readonly idempotentAuthorize: boolean;
  /**
   * A cancel also stops a call that is still in flight, even one that the processor has not received yet: after
   * `cancelled` no charge can appear.
   */
  readonly cancelHolds: boolean;
  /** The longest time until `lookup` sees a call that reached the processor. */
  readonly lookupLagMs: number;
  /**
   * The longest time until `lookup` sees every call with a reference, including one from a lost copy of the database.
   */
  readonly searchLagMs: number;
}

export interface Rail {
  readonly name: string;
  readonly trust: RailTrust;
  authorize(request: AuthorizeRequest): Promise<RailOutcome>;
  /**
   * Finds the outcome of `reference`; never moves money. `notFound` also covers an attempt that the processor knows but
   * was never asked to charge.
   */
  lookup(request: AttemptCall): Promise<RailOutcome>;
  /**
   * Ends an attempt. Returns `approved` if the charge was faster, `notFound` if the processor has no such attempt and
   * cannot prevent one from appearing. If `railReference` is given, `cancelled` is final.
   */
  cancel(request: AttemptCall & RailWrite): Promise<RailOutcome>;
  chargeStored(request: ChargeStoredRequest): Promise<RailOutcome>;
  refund(request: RefundRequest): Promise<RefundOutcome>;
  lookupRefund(request: RefundCall): Promise<RefundOutcome>;
  /** Returns the refunded amount of a payment, including refunds that this service did not make. */
  refundedTotal(request: ChargeCall): Promise<RefundedTotal>;
  /** Returns all disputes of a payment, including decided ones. */
  listDisputes(request: ChargeCall): Promise<DisputesOutcome>;
  /** Checks with one read-only call whether the account may charge. */
  askAccount(request: AccountCall): Promise<AccountAnswer>;
  /**
   * Lists every attempt since an instant, whatever its outcome, in no particular order.
   *
   * @throws RailListFailed
   */
  listSince(account: RailAccount, sinceInstant: string, signal: AbortSignal): Promise<readonly RailCharge[]>;
  /**
   * Lists refunds since an instant that have one of the service's references.
   * @throws RailListFailed
   */
  listRefundsSince(
    account: RailAccount,
    sinceInstant: string,
    signal: AbortSignal,
  ): Promise<readonly RailRefund[]>;
  /**
   * Lists disputes opened since an instant.
   *
   * @throws RailListFailed
   */
  listDisputesSince(
    account: RailAccount,
    sinceInstant: string,
    signal: AbortSignal,
  ): Promise<readonly RailDispute[]>;
  /**
   * @returns null if the webhook is signed correctly but concerns another account, as when two installations share a
   * processor account
   * @throws RailWebhookInvalid
   */
  parseWebhook(
    account: RailAccount,
    rawBody: Buffer,
    headers: Readonly<Record<string, string | undefined>>,
  ): RailWebhook | null;
  /** Returns the page's configuration. The page caches it, so it must depend only on the arguments. */
  publicConfig(account: RailAccount, page: RailPage): RailPublicConfig;
  /**
   * Returns the document around the card fields, for a processor that provides its fields as a script. The API serves
   * the document under `/rails/<rail>/<account id>/fields` with the query of `publicConfig`'s URL.
   */
  readonly fieldsDocument?: (account: RailAccount, request: FieldsDocumentRequest) => FieldsDocument;
  /** The parts of the credential that an operator has to provide. */
  readonly credentialFields?: readonly RailCredentialField[];
  /** Finds out whether and how the account can take money, without moving any. Never throws on a rejection. */
  readonly probe?: (account: RailAccount, signal: AbortSignal) => Promise<RailProbe>;
  /**
   * Returns the `cardFingerprint` behind an unused token of the card fields; null if the processor does not report it.
   * Moves no money. Without this function, a card is recognised only after its first decline.
   */
  readonly cardOf?: (
    account: RailAccount,
    methodToken: string,
    signal: AbortSignal,
  ) => Promise<string | null>;
  /** Absent if the service cannot import from this processor. */
  readonly source?: AccountSource;
}
