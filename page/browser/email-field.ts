/** The buyer's email: a field if it is unknown, a line of text if it is known. */
import { isEmail, tidyEmail } from '../../domain/core/email.ts';
import type { PageView } from '../document/view.ts';
import { fill, type Words } from '../document/words.ts';
import { el } from './core/dom.ts';
import { type TextField, textField } from './core/text-field.ts';

export function payingAs({ strings }: Words, { email }: PageView): HTMLElement | null {
  return email.value === null
    ? null
    : el('p', { class: 'paying-as' }, fill(strings.payingAs, { email: email.value }));
}

export interface EmailField extends TextField {
  /** Returns the typed email; null if it is invalid, and the field then has focus. */
  read(): string | null;
}

export function emailField({ strings }: Words, view: PageView): EmailField {
  const field = textField(strings.emailLabel, strings.emailHint, {
    id: 'email',
    type: 'email',
    name: 'email',
    autocomplete: 'email',
    inputMode: 'email',
    required: true,
    maxLength: 320,
    value: view.email.value ?? '',
    attributes: { autocapitalize: 'none' },
  });
  return {
    ...field,
    read() {
      const typed = tidyEmail(field.input.value);
      if (typed === '') field.showProblem(strings.emailMissing);
      else if (!isEmail(typed)) field.showProblem(strings.emailInvalid);
      else return typed;
      return null;
    },
  };
}
