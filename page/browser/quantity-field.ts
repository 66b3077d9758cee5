/** The field for the quantity, where the buyer may choose it. */
import type { PageView } from '../document/view.ts';
import { fill, type Words } from '../document/words.ts';
import { textField } from './core/text-field.ts';

export interface QuantityField {
  readonly element: HTMLElement;
  /** Returns the chosen quantity; null if it is invalid, and the field then has focus. */
  read(): number | null;
}

/** @param onChoose called with each valid quantity, even while the buyer types */
export function quantityField(
  { strings }: Words,
  { quantity, quantityChoice }: PageView,
  onChoose: (quantity: number) => void,
): QuantityField | null {
  if (!quantityChoice) return null;
  const min = `${quantityChoice.min}`;
  const max = `${quantityChoice.max}`;
  const { element, input, showProblem } = textField(strings.quantity, `${min}–${max}`, {
    id: 'quantity',
    type: 'number',
    required: true,
    min,
    max,
    value: `${quantity}`,
    inputMode: 'numeric',
  });
  input.addEventListener('input', () => {
    const isValid = input.checkValidity();
    input.setAttribute('aria-invalid', String(!isValid));
    if (isValid) onChoose(input.valueAsNumber);
  });
  return {
    element,
    read() {
      if (input.checkValidity()) return input.valueAsNumber;
      // The browser's own message would be in its language, not in the page's.
      showProblem(fill(strings.quantityInvalid, { min, max }));
      return null;
    },
  };
}
