/** Validates a field's text, and formats it while the buyer types. */

import type { Problem } from '../pages/field-strings.ts';
import { isCvc, isPast, parseExpiry } from './card-details.ts';
import { asciiDigits, digitsOf, groupDigits, passesLuhn } from './card-number.ts';

type FieldName = 'number' | 'expiry' | 'cvc';

export function problemOf(name: FieldName, text: string, now: Date): Problem | null {
  if (text.trim() === '') return `${name}_missing`;
  switch (name) {
    case 'number':
      return passesLuhn(digitsOf(text)) ? null : 'number_invalid';
    case 'expiry':
      return expiryProblem(text, now);
    case 'cvc':
      return isCvc(text) ? null : 'cvc_invalid';
  }
}

function expiryProblem(text: string, now: Date): Problem | null {
  const expiry = parseExpiry(text);
  if (!expiry) return 'expiry_invalid';
  return isPast(expiry.month, expiry.year, now) ? 'expiry_past' : null;
}

/** True once the text is long enough to report a mistake while the field has focus. */
export function looksFinished(name: FieldName, text: string): boolean {
  if (name === 'number') return digitsOf(text).length >= 16;
  return name === 'expiry' && /\/ \d{2}$/.test(text);
}

/** Reformats the field while the buyer types, keeping the caret behind the same character. */
export function tidy(name: FieldName, input: HTMLInputElement): void {
  const typed = input.value;
  const tidied = tidiedText(name, asciiDigits(typed));
  if (tidied === typed) return;
  const significant = significantCount(asciiDigits(typed).slice(0, input.selectionStart ?? typed.length));
  const atEnd = input.selectionStart === typed.length;
  input.value = tidied;
  const caret = atEnd ? tidied.length : positionAfter(tidied, significant);
  input.setSelectionRange(caret, caret);
}

export function tidiedText(name: FieldName, text: string): string {
  if (name === 'number') return groupDigits(text.replace(/\D/g, '').slice(0, 19));
  if (name === 'cvc') return text.replace(/\D/g, '').slice(0, 4);
  return tidiedExpiry(text);
}

/** `4` becomes `04 / `, `0430` becomes `04 / 30`; an autofilled four-digit year is kept. */
function tidiedExpiry(text: string): string {
  const [month = '', year] = text.split('/').map((part) => part.replace(/\D/g, ''));
  if (year !== undefined) return `${month.slice(0, 2)} / ${year.slice(0, 4)}`.trimEnd();
  if (/^[2-9]$/.test(month)) return `0${month} / `;
  return month.length > 2 ? `${month.slice(0, 2)} / ${month.slice(2, 6)}` : month;
}

function significantCount(text: string): number {
  return text.replace(/\D/g, '').length;
}

function positionAfter(text: string, digits: number): number {
  let seen = 0;
  for (let position = 0; position < text.length; position++) {
    if (seen === digits) return position;
    if (/\d/.test(text[position] ?? '')) seen++;
  }
  return text.length;
}
