/** The summary beside the form follows the session: the amount due before the end, the amount paid after it. */
import { formWords } from '../document/form-words.ts';
import type { PageView } from '../document/view.ts';
import type { Words } from '../document/words.ts';
import { byId } from './dom.ts';

/** Dates are in the buyer's time zone, which the server does not know. */
export function showSummary(words: Words, view: PageView): void {
  const { heading, due, terms } = formWords(words, view);
  for (const [id, text] of Object.entries({ heading, due, terms })) {
    const element = byId(id);
    element.hidden = text === null;
    if (element.textContent !== text) element.textContent = text;
  }
}
