/** Names of fields in Python. */
const KEYWORDS: ReadonlySet<string> = new Set([
  'from',
  'in',
  'is',
  'class',
  'import',
  'global',
  'return',
  'async',
]);

/** A field's name in a call: as on the wire, but for Python's own words. */
export function argumentName(field: string): string {
  return KEYWORDS.has(field) ? `${field}_` : field;
}
