/** The installation of `.env`, which Next.js reads. Imported by code of the server only: the key is a secret. */
import { HostedCheckout } from 'hosted-checkout';

export const productId = process.env.PRODUCT_ID ?? '';
export const checkout = new HostedCheckout(process.env.HOSTED_CHECKOUT_API_KEY ?? '');

/** Where buyers return: from the settings, because anybody can write a Host header. */
export const shop = process.env.SHOP_URL ?? '';
