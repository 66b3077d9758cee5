/** Asks for a spelling of the buyer's name that invoices can print. It may stay empty: the name is then unchanged. */
import type { PageView } from '../document/view.ts';
import { fill, type Words } from '../document/words.ts';
import { type TextField, textField } from './core/text-field.ts';

export function nameField({ strings }: Words, { nameToSpell: name }: PageView): TextField | null {
  return name === null
    ? null
    : textField(strings.nameLabel, fill(strings.nameHint, { name }), {
        id: 'name',
        name: 'name',
        // Autofill would enter the very name that invoices cannot print.
        autocomplete: 'off',
        maxLength: 160,
        dir: 'auto',
      });
}
