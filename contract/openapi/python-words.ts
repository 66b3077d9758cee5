/** Python's keywords (https://docs.python.org/3/reference/lexical_analysis.html#keywords). */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** Returns the name of a field as an argument: the name on the wire, with `_` appended to a Python keyword. */
export function argumentName(field: string): string {
  return KEYWORDS.has(field) ? `${field}_` : field;
}
