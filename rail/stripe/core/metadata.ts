/** The metadata of objects created at Stripe: our ids, which identify the owner, a chosen quantity, no personal data. */
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
