/**
 * The card-field document's script: shows Stripe's fields, converts their contents into a single-use payment method,
 * and reports to the page in the protocol of `rail/fields-protocol.ts`.
 */

import { isWallet, type Wallet } from '../../../domain/payment/payment-method.ts';
import type { FieldStrings } from '../core/field-strings.ts';
import { cardFields } from './card.ts';
import { linkToPage } from './page-link.ts';
import type { StripeFactory, StripePaymentMethod } from './stripe-js.ts';
import { payWithWallet } from './wallet.ts';

/** Shorter than the 20 s after which the page reloads the frame. */
const TIMEOUT_MS = 15_000;

interface Boot {
  readonly publishableKey: string;
  readonly pageOrigin: string;
  readonly language: string;
  readonly strings: FieldStrings;
  readonly currency: string;
}

const boot: Boot = JSON.parse(document.getElementById('boot')?.textContent ?? '');
const { strings } = boot;
const createStripe = (globalThis as { Stripe?: StripeFactory }).Stripe;
if (createStripe) start(createStripe);
else showUnreachable();

function start(create: StripeFactory): void {
  const stripe = create(boot.publishableKey, { locale: boot.language });
  let busy = false;

  const page = linkToPage(boot.pageOrigin, (message) => {
    if (message.type === 'focus') card.focus(message.field ?? 'number');
    else if (!busy) {
      busy = true;
      const answered = message.wallet ? submitWallet(message.wallet, message.amount) : submitCard();
      void answered.finally(() => {
        busy = false;
      });
    }
  });
  const card = cardFields(stripe, {
    ready: () => page.tell({ type: 'ready' }),
    change: () => page.tell({ type: 'change', ...card.state(), submitRequested: false }),
    failed: showUnreachable,
  });
  document.forms[0]?.addEventListener('submit', (event) => {
    event.preventDefault();
    page.tell({ type: 'change', ...card.state(), submitRequested: true });
  });

  async function submitCard(): Promise<void> {
    const made = await inTime(stripe.createPaymentMethod({ type: 'card', card: card.element }));
    if (made?.paymentMethod) return tellToken(made.paymentMethod);
    const error = made?.error;
    const field = error ? card.show(error) : null;
    if (!error || error.type === 'api_connection_error') page.fail('rail_unreachable', strings.unreachable);
    else page.fail(error.code ?? error.type ?? 'card_refused', error.message ?? strings.unreachable, field);
  }

  async function submitWallet(wallet: Wallet, amount: number): Promise<void> {
    const purchase = { amount, currency: boot.currency };
    const answer = await payWithWallet(stripe, wallet, purchase, strings, () =>
      page.tell({ type: 'attention' }),
    );
    if (answer.kind === 'method') tellToken(answer.method);
    else if (answer.kind === 'unavailable') page.fail('wallet_unavailable', strings.walletUnavailable);
    else if (answer.kind === 'cancelled') page.fail('wallet_cancelled', strings.walletCancelled);
    else page.fail('rail_unreachable', strings.unreachable);
  }

  function tellToken({ id: token, card: shown }: StripePaymentMethod): void {
    const wallet = shown?.wallet?.type;
    const type = isWallet(wallet) ? wallet : 'card';
    page.tell({
      type: 'token',
      token,
      method: { type, brand: shown?.brand ?? null, last4: shown?.last4 ?? null },
    });
  }
}

async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  const silence = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), TIMEOUT_MS));
  return Promise.race([work.catch(() => undefined), silence]);
}

/** Shows that Stripe is unreachable. The page, which gets no `ready` message, offers to reload the fields. */
function showUnreachable(): void {
  const problem = document.getElementById('number-problem');
  if (problem) problem.textContent = strings.unreachable;
}
