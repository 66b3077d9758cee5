/**
 * Apple Pay and Google Pay. Their sheets open only on a click inside this frame, so the wallet's button replaces the
 * card fields until the buyer clicks the button or cancels.
 */

import type { Wallet } from '../../../domain/payment/payment-method.ts';
import type { FieldStrings } from '../core/field-strings.ts';
import type { StripeJs, StripePaymentMethod } from './stripe-js.ts';

interface Purchase {
  /** The amount in cents; 0 stores the method without charging it. */
  readonly amount: number;
  readonly currency: string;
}

export type WalletAnswer =
  | { readonly kind: 'method'; readonly method: StripePaymentMethod }
  | { readonly kind: 'unavailable' | 'cancelled' | 'failed' };

const NONE = { amazonPay: 'never', klarna: 'never', link: 'never', paypal: 'never' } as const;
const ONLY = {
  apple_pay: { ...NONE, applePay: 'always', googlePay: 'never' },
  google_pay: { ...NONE, applePay: 'never', googlePay: 'always' },
} as const satisfies Record<Wallet, object>;

export function payWithWallet(
  stripe: StripeJs,
  wallet: Wallet,
  { amount, currency }: Purchase,
  strings: FieldStrings,
  onShown: () => void,
): Promise<WalletAnswer> {
  const place = document.getElementById('wallet') as HTMLElement;
  const card = document.getElementById('card') as HTMLElement;
  const button = document.createElement('div');
  const giveUp = document.createElement('button');
  giveUp.type = 'button';
  giveUp.textContent = strings.useCard;
  const prompt = document.createElement('p');
  prompt.textContent = strings.walletPrompt;

  return new Promise<WalletAnswer>((resolve) => {
    const money = amount > 0 ? { mode: 'payment', amount, currency } : { mode: 'setup', currency };
    const elements = stripe.elements({ ...money, paymentMethodCreation: 'manual' });
    const element = elements.create('expressCheckout', { paymentMethods: ONLY[wallet] });
    const end = (answer: WalletAnswer) => {
      element.destroy();
      place.replaceChildren();
      place.hidden = true;
      card.hidden = false;
      resolve(answer);
    };
    giveUp.addEventListener('click', () => end({ kind: 'cancelled' }));
    element.on('ready', ({ availablePaymentMethods: available }: { availablePaymentMethods?: object }) => {
      if (available) onShown();
      else end({ kind: 'unavailable' });
    });
    element.on('loaderror', () => end({ kind: 'failed' }));
    element.on('cancel', () => end({ kind: 'cancelled' }));
    element.on('confirm', async () => {
      const { error: invalid } = await elements.submit();
      const made = invalid ? { error: invalid } : await stripe.createPaymentMethod({ elements });
      end(
        'paymentMethod' in made && made.paymentMethod
          ? { kind: 'method', method: made.paymentMethod }
          : { kind: 'failed' },
      );
    });
    card.hidden = true;
    place.hidden = false;
    place.replaceChildren(prompt, button, giveUp);
    element.mount(button);
  });
}
