/** The summary beside the form: the amount due while the session is open, the amount paid afterwards. */
import { formWords } from '../document/form-words.ts';
import { totalRows } from '../document/totals.ts';
import type { PageView } from '../document/view.ts';
import type { Words } from '../document/words.ts';
import { byId } from './core/dom.ts';

/** Renders the summary in the browser, which knows the buyer's time zone; the server does not. */
export function showSummary(words: Words, view: PageView): void {
  const { heading, due, terms, amount, plan, coupon, tax } = formWords(words, view);
  for (const [id, text] of Object.entries({ heading, due, terms, coupon, tax })) {
    const element = byId(id);
    element.hidden = text === null;
    write(element, text);
  }
  // An element is missing if the document was rendered without that text: later changes affect only its value.
  for (const [id, text] of Object.entries({ amount, plan })) write(document.getElementById(id), text);
  const totals = document.querySelector<HTMLElement>('.totals');
  if (!totals) return;
  totals.hidden = view.amount === 0;
  const values = totals.querySelectorAll('dd');
  for (const [row, [, value]] of totalRows(words, view).entries()) write(values[row], value);
}

function write(element: Element | null | undefined, text: string | null): void {
  if (element && element.textContent !== text) element.textContent = text;
}
