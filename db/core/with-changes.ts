/** Applies a change to a row; undefined fields keep their value. */
export function withChanges<Row extends object>(
  before: Row,
  changes: { readonly [Field in keyof Row]?: Row[Field] | undefined },
): Row {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(given) };
}
