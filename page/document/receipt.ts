/** The buyer's record of a finished session: the facts, the invoice, and a contact. Pure. */
import { contactOf } from './contact.ts';
import { type Html, html } from './html.ts';
import type { Status } from './status.ts';
import type { PageView } from './view.ts';
import { date, money, type Words } from './words.ts';

/**
 * Returns facts and a contact once the session has ended or its outcome is in doubt, only a contact for other waits and
 * failures, and otherwise null.
 */
export function receiptOf(words: Words, view: PageView, tone: Status['tone'] | undefined): Html | null {
  const contact = contactOf(words, view);
  if (!view.receipt) return tone === 'wait' || tone === 'failure' ? contact : null;
  const { strings } = words;
  const { invoiceUrl } = view.receipt;
  return html`<dl class="receipt">${rowsOf(words, view).map(
    ([label, value]) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`,
  )}</dl>${invoiceUrl && html`<p><a href="${invoiceUrl}" target="_blank" rel="noopener">${strings.receiptInvoice}</a></p>`}${contact}`;
}

function rowsOf(words: Words, view: PageView): (readonly [label: string, value: string])[] {
  const { strings } = words;
  const { receipt, product, quantity, state, amount, currency } = view;
  if (!receipt) return [];
  const { at, card, reference, email } = receipt;
  const paid = state === 'succeeded' && amount > 0;
  return [
    [strings.receiptProduct, product.name] as const,
    quantity > 1 && ([strings.quantity, `${quantity}`] as const),
    paid && ([strings.receiptAmount, money(words, amount, currency)] as const),
    at !== null && ([strings.receiptDate, date(words, at)] as const),
    card && ([strings.methodCard, `${capitalized(card.brand ?? '')} •••• ${card.last4}`.trim()] as const),
    email !== null && ([strings.emailLabel, email] as const),
    [strings.receiptReference, reference] as const,
  ].filter((row) => row !== false && row !== null);
}

export function capitalized(brand: string): string {
  return brand.charAt(0).toUpperCase() + brand.slice(1);
}
