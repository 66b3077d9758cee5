/** A search box's input, classified by its form. */
const ID = /^(ap_[a-z]+)_[0-9a-z]{1,64}$/;
const CARD = /^(?:(\p{L}[\p{L}_]*)[\s•]+)?(\d{4})(?:\s+(.+))?$/u;
/** With or without the currency; thousands separators are accepted only in amounts with cents, as lists show them. */
const AMOUNT =
  /^(?:(?:€|EUR)\s*)?(?:(\d{1,8})(?:[.,](\d{1,2}))?|(\d{1,3}(?:[.,’\s]\d{3})+)[.,](\d{2}))(?:\s*(?:€|EUR))?$/i;

export type SearchTerm =
  | { readonly kind: 'id'; readonly prefix: string; readonly id: string }
  | { readonly kind: 'email'; readonly email: string }
  /** An amount, or a reference that looks like one. */
  | { readonly kind: 'amount'; readonly cents: number; readonly text: string }
  /** The last four digits of a card with its brand, an amount or both: `Visa 4242`, `4242 19.00`. */
  | {
      readonly kind: 'card';
      readonly brand: string | null;
      readonly last4: string;
      readonly cents: number | null;
      readonly text: string;
    }
  | { readonly kind: 'text'; readonly text: string };

export function readSearch(typed: string): SearchTerm | null {
  const text = typed.trim();
  if (text === '') return null;
  const prefix = ID.exec(text)?.[1];
  if (prefix) return { kind: 'id', prefix, id: text };
  if (text.includes('@')) return { kind: 'email', email: text.toLowerCase() };
  const cents = readCents(text);
  if (cents !== null) return { kind: 'amount', cents, text };
  const [, brand, last4, amount] = CARD.exec(text) ?? [];
  const paid = amount === undefined ? null : readCents(amount);
  return last4 === undefined || (amount !== undefined && paid === null)
    ? { kind: 'text', text }
    : { kind: 'card', brand: brand?.toLowerCase() ?? null, last4, cents: paid, text };
}

/** Returns null if the text is not an amount, or the amount is too large for the column. */
function readCents(text: string): number | null {
  const [, plain, ofPlain, grouped, ofGrouped] = AMOUNT.exec(text) ?? [];
  const whole = plain ?? grouped?.replace(/\D/g, '');
  if (whole === undefined) return null;
  const cents = Number(whole) * 100 + Number((ofPlain ?? ofGrouped ?? '').padEnd(2, '0'));
  return cents > 2_147_483_647 ? null : cents;
}
