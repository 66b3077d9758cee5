/** The payment methods that the account has enabled and this device supports: wallets first, then the card. */

import type { MethodType } from '../../domain/payment/payment-method.ts';
import { icons } from '../document/icons.ts';
import type { PageView } from '../document/view.ts';
import type { Words } from '../document/words.ts';
import { el, svg } from './core/dom.ts';

export function availableMethods(view: PageView): readonly MethodType[] {
  const available = view.methods.filter((method) => {
    if (method === 'card') return true;
    if (method === 'apple_pay' && !view.simulatedWallets) return 'ApplePaySession' in window;
    return 'PaymentRequest' in window;
  });
  return available.sort((one, other) => Number(one === 'card') - Number(other === 'card'));
}

export interface MethodChoice {
  readonly element: HTMLElement;
  value(): MethodType;
}

export function methodChoice(
  { strings }: Words,
  view: PageView,
  methods: readonly MethodType[],
  onChange: (method: MethodType) => void,
): MethodChoice {
  const names = {
    card: strings.methodCard,
    apple_pay: strings.methodApplePay,
    google_pay: strings.methodGooglePay,
  };
  let chosen = methods.find((method) => method === view.preselectedMethod) ?? 'card';
  const options = methods.map((method) =>
    el(
      'label',
      { class: 'method' },
      el('input', {
        type: 'radio',
        name: 'method',
        value: method,
        checked: method === chosen,
        on: {
          change: () => {
            chosen = method;
            onChange(method);
          },
        },
      }),
      svg(method === 'card' ? icons.card : icons.wallet),
      el(
        'span',
        {},
        names[method],
        method !== 'card' &&
          view.simulatedWallets &&
          el('span', { class: 'method-note' }, ` ${strings.methodSimulated}`),
      ),
    ),
  );
  return {
    element: el(
      'fieldset',
      { class: 'methods', hidden: methods.length < 2 },
      el('legend', {}, strings.methodLegend),
      el('div', {}, ...options),
    ),
    value: () => chosen,
  };
}
