/** The installation that `.env` names (Next.js reads the file). For server code only: the key is a secret. */
import { HostedCheckout } from 'hosted-checkout';

export const productId = process.env.PRODUCT_ID ?? '';
export const checkout = new HostedCheckout(process.env.HOSTED_CHECKOUT_API_KEY ?? '');

/** Where buyers return: from the settings, because anyone can forge the Host header. */
export const shop = process.env.SHOP_URL ?? '';
