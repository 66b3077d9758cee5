/** The metadata of every object created at Stripe: our ids, which identify its owner, and no personal data. */
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
