/** Sends the buyer to the hosted page. */
import { checkout, productId, shop } from '../../lib/checkout.js';

export async function POST() {
  const { hostedUrl } = await checkout.checkouts.create({
    productId,
    externalCustomerId: 'customer-1',
    // A return proves nothing: goods are delivered when the webhook arrives.
    successUrl: shop,
    failUrl: shop,
  });
  return Response.redirect(hostedUrl, 303);
}
