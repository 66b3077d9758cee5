/** The metadata of every object created at Stripe: our ids, by which its owner is found, and no personal data. */
import type { RailAccount } from '../../rail-account.ts';

export function metadataOf({
  reference,
  account,
}: {
  readonly reference: string;
  readonly account: RailAccount;
}) {
  return { reference, rail_account: account.id, merchant: account.merchantId };
}
