/** Card numbers: pure rules that the rail and its card-field document share. */

/** Full-width and Arabic digits, and the full-width slash, as keyboards and autofill of other scripts type them. */
export function asciiDigits(text: string): string {
  return text
    .replace(/[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll('\uff0f', '/');
}

export function digitsOf(text: string): string {
  return text.replace(/[\s-]/g, '');
}

/** ISO/IEC 7812: valid check digit and length. */
export function passesLuhn(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? 2 * Number(digit) : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

export type Brand = 'visa' | 'mastercard' | 'amex';

/** @returns null while the digits are ambiguous */
export function brandOf(digits: string): Brand | null {
  if (/^4/.test(digits)) return 'visa';
  if (/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/.test(digits)) return 'mastercard';
  if (/^3[47]/.test(digits)) return 'amex';
  return null;
}

/** In the printed form: `4242 4242 4242 4242`. */
export function groupDigits(digits: string): string {
  return digits.replace(/(.{4})(?=.)/g, '$1 ');
}
