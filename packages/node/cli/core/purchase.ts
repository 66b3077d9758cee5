/** Makes purchases in the sandbox, as a buyer does on the hosted page. */
import { randomUUID } from 'node:crypto';
import { type BuyerReport, payAsBuyer } from '../../../../sandbox/buyer/buyer.ts';
import type { HostedCheckout, Product } from '../../src/index.ts';
import { FailedError } from './command.ts';

export const APPROVED_CARD = '4242424242424242';

export interface Wishes {
  readonly product: string;
  readonly card: string;
  readonly email?: string | undefined;
  readonly challenge?: 'approve' | 'fail' | 'abandon' | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly couponCode?: string | undefined;
  readonly quantity?: number | undefined;
}

export type Purchase = BuyerReport & {
  readonly id: string;
  readonly customer: string;
  readonly hostedUrl: string;
};

/** @throws FailedError if the purchase cannot be made, or its outcome is not known in time */
export async function purchase(checkout: HostedCheckout, wishes: Wishes): Promise<Purchase> {
  const customer = `cli-${randomUUID()}`;
  const { id, hostedUrl } = await checkout.checkouts.create({
    productId: wishes.product,
    externalCustomerId: customer,
    couponCode: wishes.couponCode,
    quantity: wishes.quantity,
  });
  const { report, problem } = await payAsBuyer({ ...wishes, hostedUrl });
  if (problem !== null) throw new FailedError(`${id}: ${problem}`);
  return { ...report, id, customer, hostedUrl };
}

/**
 * Returns the merchant's newest product of this kind.
 *
 * @throws FailedError if there is none
 */
export async function productOfKind(
  checkout: HostedCheckout,
  kind: 'one_time' | 'recurring' | 'trial',
): Promise<Product> {
  const { data } = await checkout.products.list();
  const found = data.find(
    ({ status, active_price }) =>
      status === 'active' &&
      active_price?.billing_mode === (kind === 'one_time' ? 'one_time' : 'recurring') &&
      Boolean(active_price.recurring?.trial_period_days) === (kind === 'trial') &&
      (kind === 'one_time' || active_price.recurring),
  );
  if (!found)
    throw new FailedError(`There is no active product with a ${kind} price: create one, or name one.`);
  return found;
}
