/** An allow-list of an object's fields and values. With any other field or value, the object stays at Stripe. */
type Allowed = (value: unknown) => boolean;
type Why = string | ((value: unknown) => string);

/**
 * The allowed values of each field, and why the object stays at Stripe with another value. Without a reason, the
 * field's name is shown.
 */
export type Known = Readonly<Record<string, Allowed | readonly [Allowed, Why]>>;

/** Allows any value, for fields that do not affect a charge. */
export const any: Allowed = () => true;

/** Allows unset values only (`isUnset`). */
export const none: Allowed = () => false;

export function is(...values: readonly unknown[]): Allowed {
  return (value) => values.includes(value);
}

/** Allows an object if each of its fields is known. */
export function within(known: Known): Allowed {
  return (value) => typeof value === 'object' && value !== null && strangeIn(value, known, '').length === 0;
}

/** @param whose the object's owner in a sentence, such as "Its item" */
export function strangeIn(object: object, known: Known, whose: string): readonly string[] {
  const strange: string[] = [];
  for (const [field, value] of Object.entries(object)) {
    const entry = Object.hasOwn(known, field) ? known[field] : undefined;
    const [isAllowed, why] = typeof entry === 'function' ? [entry] : (entry ?? [none]);
    if (isUnset(value) || isAllowed(value)) continue;
    const unnamed = `${whose} has ${field}, which an import cannot carry over.`;
    strange.push(typeof why === 'function' ? why(value) : (why ?? unnamed));
  }
  return strange;
}

/** Returns true for an unset value; `false` and 0 count as set. */
function isUnset(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
