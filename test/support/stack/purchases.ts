/** Purchases on the whole stack, over HTTP as merchant and buyer make them. */
import { type BuyerWishes, payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import type { CreatedSession, TestStack } from './stack.ts';

interface Purchase extends Partial<Omit<BuyerWishes, 'hostedUrl'>> {
  readonly productId?: string;
  /** Further fields of the merchant's request. */
  readonly request?: Readonly<Record<string, unknown>>;
}

/** Creates a session and pays it, by default for the product that is paid once. @throws if it is not paid */
export async function buy(stack: TestStack, purchase: Purchase = {}): Promise<CreatedSession> {
  const { productId = stack.products.oneTime, request, ...wishes } = purchase;
  const session = await stack.createCheckout(productId, request);
  const { report, problem } = await payAsBuyer({ ...wishes, hostedUrl: session.hostedUrl });
  if (report.state !== 'succeeded') throw new Error(`the purchase failed: ${problem ?? report.state}`);
  return session;
}
