/** Metadata of objects created at Stripe: ids that show the owner, and a chosen quantity; no personal data. */
import type { RailAccount } from '../../rail-account.ts';

export function metadataOf({
  reference,
  account,
  quantity = null,
}: {
  readonly reference: string;
  readonly account: RailAccount;
  readonly quantity?: number | null;
}) {
  return {
    reference,
    rail_account: account.id,
    merchant: account.merchantId,
    ...(quantity !== null && { quantity: String(quantity) }),
  };
}
