/** The buyer's email: a field if it is unknown, a line of text if it is known. */
import { isEmail, tidyEmail } from '../../domain/core/email.ts';
import type { PageView } from '../document/view.ts';
import { fill, type Words } from '../document/words.ts';
import { el } from './dom.ts';

export function payingAs({ strings }: Words, { email }: PageView): HTMLElement | null {
  return email.value === null
    ? null
    : el('p', { class: 'paying-as' }, fill(strings.payingAs, { email: email.value }));
}

export interface EmailField {
  readonly element: HTMLElement;
  /** Returns the typed email; null if it is invalid, and the field then has focus. */
  read(): string | null;
  showProblem(text: string): void;
}

export function emailField(words: Words, view: PageView): EmailField {
  const { strings } = words;
  const hint = el('p', { class: 'hint', id: 'email-hint' }, strings.emailHint);
  const problem = el('p', { class: 'problem', id: 'email-problem', hidden: true });
  const input = el('input', {
    id: 'email',
    type: 'email',
    name: 'email',
    autocomplete: 'email',
    inputMode: 'email',
    required: true,
    spellcheck: false,
    maxLength: 320,
    value: view.email.value ?? '',
    attributes: { 'aria-describedby': 'email-problem email-hint', autocapitalize: 'none' },
    on: { input: () => clear() },
  });
  const clear = () => {
    problem.hidden = true;
    input.removeAttribute('aria-invalid');
  };
  const showProblem = (text: string) => {
    problem.textContent = text;
    problem.hidden = false;
    input.setAttribute('aria-invalid', 'true');
    input.focus();
  };
  const element = el(
    'div',
    { class: 'field' },
    el('label', { htmlFor: 'email' }, strings.emailLabel),
    input,
    problem,
    hint,
  );
  return {
    element,
    showProblem,
    read() {
      const typed = tidyEmail(input.value);
      if (typed === '') showProblem(strings.emailMissing);
      else if (!isEmail(typed)) showProblem(strings.emailInvalid);
      else return typed;
      return null;
    },
  };
}
