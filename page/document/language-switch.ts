/** Links to the other languages, without a script. The tab remembers the choice for the way back from the bank. */
import { LANGUAGES } from '../../domain/core/languages.ts';
import { type Html, html } from './html.ts';
import { capitalized } from './receipt.ts';
import type { Words } from './words.ts';

/** Each language's own name. */
const NAMES = LANGUAGES.map((language) => {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return [language, capitalized(name)] as const;
});

export function languageSwitch({ language: now, strings }: Words): Html {
  const current = NAMES.find(([language]) => language === now)?.[1];
  return html`<details class="languages"><summary><span class="visually-hidden">${strings.language}</span> ${current}</summary><nav aria-label="${strings.language}">${NAMES.map(
    ([language, name]) =>
      html`<a href="?lang=${language}" lang="${language}" hreflang="${language}"${language === now && html` aria-current="true"`}>${name}</a>`,
  )}</nav></details>`;
}
