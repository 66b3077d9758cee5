/** CSV as in RFC 4180, safe to open in a spreadsheet. */

/** Matches the start of a formula, even for a spreadsheet whose separator is not a comma. */
const FORMULA = /(?<=^|[;\t\r\n|])(?="*[=+\-@\t\r])/g;
const SPECIAL = /[",\r\n]/;

export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(csvValue).join(',')}\r\n`;
}

/**
 * Spreadsheets evaluate text that begins like a formula; a leading apostrophe prevents that. In locales with a
 * decimal comma, they separate cells by semicolons, and quotes within such a cell do not protect it.
 */
function csvValue(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replace(FORMULA, "'");
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
