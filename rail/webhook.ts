/** The content of a rail's webhooks. */
import type { AttemptOutcome } from '../domain/payment/attempt.ts';

/**
 * The content of a webhook. A webhook is verified, stored, answered with 200, and used as a hint that causes a look-up.
 */
export interface RailWebhook {
  /** The rail's event id, the unique key of the stored webhook. */
  readonly railEventId: string;
  /** The service's reference (a payment or refund id); null if the webhook has none. */
  readonly reference: string | null;
  /** The processor's id of the payment, if the webhook has no reference, as for disputes. */
  readonly railReference?: string;
  /**
   * `refund_failed`: an accepted refund did not reach the buyer. `dispute`: a dispute was opened, changed or decided.
   */
  readonly hint: AttemptOutcome['kind'] | 'refunded' | 'refund_failed' | 'dispute' | 'other';
}

/** Thrown if a webhook's signature is missing, malformed, stale or wrong. */
export class RailWebhookInvalid extends Error {
  override readonly name = 'RailWebhookInvalid';
}
