/** The field for the quantity, where the buyer may choose it. The browser's own messages explain invalid input. */
import type { PageView } from '../document/view.ts';
import type { Words } from '../document/words.ts';
import { el } from './core/dom.ts';

export interface QuantityField {
  readonly element: HTMLElement;
  /** Returns the chosen quantity; null if it is invalid, and the field then has focus. */
  read(): number | null;
}

/** @param onChoose called with each valid quantity, also while the buyer types */
export function quantityField(
  { strings }: Words,
  { quantity, quantityChoice }: PageView,
  onChoose: (quantity: number) => void,
): QuantityField | null {
  if (!quantityChoice) return null;
  const input = el('input', {
    id: 'quantity',
    type: 'number',
    required: true,
    min: `${quantityChoice.min}`,
    max: `${quantityChoice.max}`,
    value: `${quantity}`,
    inputMode: 'numeric',
    attributes: { 'aria-describedby': 'quantity-bounds' },
    on: {
      input: () => {
        const isValid = input.checkValidity();
        input.setAttribute('aria-invalid', String(!isValid));
        if (isValid) onChoose(input.valueAsNumber);
      },
    },
  });
  const bounds = el(
    'p',
    { class: 'hint', id: 'quantity-bounds' },
    `${quantityChoice.min}–${quantityChoice.max}`,
  );
  const label = el('label', { htmlFor: 'quantity' }, strings.quantity);
  return {
    element: el('div', { class: 'field' }, label, input, bounds),
    read: () => (input.reportValidity() ? input.valueAsNumber : null),
  };
}
