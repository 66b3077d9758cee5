/** The amount due now as quantity, net, tax and total, for wide windows. Narrow windows show the tax as a sentence. */
import { taxIncludedCents } from '../../domain/core/tax.ts';
import { type Html, html } from './html.ts';
import type { PageView } from './view.ts';
import { fill, money, percent, type Words } from './words.ts';

/** Returns names and values, by row. */
export function totalRows(
  words: Words,
  { amount, quantity, currency, price }: PageView,
): readonly (readonly [string, string])[] {
  const { strings } = words;
  const tax = taxIncludedCents(amount, price.taxRate);
  return [
    [strings.quantity, String(quantity)],
    [strings.net, money(words, amount - tax, currency)],
    [fill(strings.taxAt, { rate: percent(words, price.taxRate) }), money(words, tax, currency)],
    [strings.total, money(words, amount, currency)],
  ];
}

/** Returns the rows, hidden while nothing is due; null if no tax applies. */
export function totalsOf(words: Words, view: PageView): Html | null {
  if (view.methodChange || view.price.taxRate === 0) return null;
  const rows = totalRows(words, view).map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  );
  return html`<dl class="totals"${view.amount === 0 && html` hidden`}>${rows}</dl>`;
}
