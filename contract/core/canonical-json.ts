/** Canonical JSON: equal values give equal text, with members sorted by name and no white space. */
import { createHash } from 'node:crypto';

/** Deeper than any valid request; deeper values could overflow the stack. */
const MAX_DEPTH = 100;

/** @throws RangeError if the value is nested more than 100 levels deep */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new RangeError('JSON is nested too deeply');
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member, depth + 1)}`);
  return `{${members.join(',')}}`;
}

/** Returns the SHA-256 of the canonical text. */
export function hashJson(value: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(value)).digest();
}
