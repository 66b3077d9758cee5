/** Our ids at Stripe, on everything that is made there: they alone say whose it is. Nothing personal. */
import type { RailAccount } from '../rail.ts';

export function metadataOf({
  reference,
  account,
}: {
  readonly reference: string;
  readonly account: RailAccount;
}) {
  return { reference, rail_account: account.id, merchant: account.merchantId };
}
