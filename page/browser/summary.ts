/** The summary beside the form: the amount due while the session is open, the amount paid afterwards. */
import { formWords } from '../document/form-words.ts';
import type { PageView } from '../document/view.ts';
import type { Words } from '../document/words.ts';
import { byId } from './dom.ts';

/** Renders the summary in the browser, which knows the buyer's time zone; the server does not. */
export function showSummary(words: Words, view: PageView): void {
  const { heading, due, terms } = formWords(words, view);
  for (const [id, text] of Object.entries({ heading, due, terms })) {
    const element = byId(id);
    element.hidden = text === null;
    if (element.textContent !== text) element.textContent = text;
  }
}
