/** Stripe's form encoding of nested values: `metadata[reference]=…&expand[0]=…`. */
type FormValue = string | FormValues;
export interface FormValues {
  [name: string]: FormValue;
}

export function parseForm(text: string): FormValues {
  const values: FormValues = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const names = key.replaceAll(']', '').split('[');
    const last = names.pop() ?? '';
    let place = values;
    for (const name of names) {
      const inner = place[name];
      const next: FormValues = typeof inner === 'object' ? inner : {};
      place[name] = next;
      place = next;
    }
    place[last] = value;
  }
  return values;
}

export function text(values: FormValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function record(values: FormValues, name: string): Record<string, string> {
  const value = values[name];
  if (typeof value !== 'object') return {};
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, String(part)]));
}

export function list(values: FormValues, name: string): readonly string[] {
  return Object.values(record(values, name));
}
