/** A copy of real records, with a planted fault and the violation to find in it. */
import { check } from '../check.ts';
import type { PromiseName } from '../promises.ts';
import type { Records } from '../records.ts';

type Writable<Value> = Value extends string | number | boolean | null
  ? Value
  : Value extends readonly (infer Item)[]
    ? Writable<Item>[]
    : { -readonly [Key in keyof Value]: Writable<Value[Key]> };

/** A copy of the records that may be changed. */
export type Copy = Writable<Records>;

/** Name, the promise to report as broken, and the damage to the copy. */
export type Planted = readonly [name: string, promise: PromiseName, damage: (copy: Copy) => void];

export function found(records: Records, damage: (copy: Copy) => void): readonly string[] {
  const copy = structuredClone(records) as Copy;
  damage(copy);
  return [...new Set(check(copy as Records).map(({ promise }) => promise))];
}

export function first<Item>(items: Item[], matches: (item: Item) => boolean = () => true): Item {
  const item = items.find(matches);
  if (!item) throw new Error('the records have no such object');
  return item;
}

export const paid = (copy: Copy) => {
  const refunded = new Set(copy.railRefunds.map(({ chargeReference }) => chargeReference));
  return first(
    copy.payments,
    ({ id, status, amount }) => status === 'succeeded' && amount > 0 && !refunded.has(id),
  );
};
export const paidSession = (copy: Copy) =>
  first(copy.sessions, ({ state, amount }) => state === 'succeeded' && amount > 0);
export const refund = (copy: Copy) => first(copy.refunds, ({ status }) => status === 'succeeded');
export const refundAtRail = (copy: Copy) =>
  first(copy.railRefunds, ({ reference }) => reference === refund(copy).id);
export const charge = (copy: Copy) => first(copy.ledger, ({ reference }) => reference === paid(copy).id);
export const refundExchange = (copy: Copy) =>
  first(copy.exchanges, ({ path, status }) => path === '/v1/refunds' && status === 201);
