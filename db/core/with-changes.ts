/** A row's fields after a change; what is undefined stays as it is. */
export function withChanges<Row extends object>(
  before: Row,
  changes: { readonly [Field in keyof Row]?: Row[Field] | undefined },
): Row {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(given) };
}
