/** Our ids on every object created at Stripe: they alone identify its owner. No personal data. */
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
