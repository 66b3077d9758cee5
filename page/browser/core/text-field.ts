/** A labelled field for one line of text, with a message if its value is invalid. */
import { el } from './dom.ts';

export interface TextField {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  /** Shows the message and moves the focus to the field. */
  showProblem(text: string): void;
}

/**
 * @param hintText shown beneath the field; null for none
 * @param props of the input, with its `id`
 */
export function textField(
  label: string,
  hintText: string | null,
  { id, attributes, ...props }: Parameters<typeof el<'input'>>[1] & { readonly id: string },
): TextField {
  const hint = hintText === null ? null : el('p', { class: 'hint', id: `${id}-hint`, dir: 'auto' }, hintText);
  const problem = el('p', { class: 'problem', id: `${id}-problem`, hidden: true });
  const clear = () => {
    problem.hidden = true;
    input.removeAttribute('aria-invalid');
  };
  const input = el('input', {
    id,
    spellcheck: false,
    ...props,
    attributes: { 'aria-describedby': `${id}-problem${hint ? ` ${hint.id}` : ''}`, ...attributes },
    on: { input: clear },
  });
  const element = el('div', { class: 'field' }, el('label', { htmlFor: id }, label), input, problem, hint);
  const showProblem = (text: string) => {
    problem.textContent = text;
    problem.hidden = false;
    input.setAttribute('aria-invalid', 'true');
    input.focus();
  };
  return { element, input, showProblem };
}
