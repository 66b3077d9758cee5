/** A stored card that may be charged off-session: a Stripe customer and its payment method. */
import type { Intent } from './intent-schema.ts';

export interface Mandate {
  readonly customer: string;
  readonly paymentMethod: string;
}

export function mandateOf({ savesMandate, customerId, methodId }: Intent): string | null {
  return savesMandate && customerId && methodId ? `${customerId}:${methodId}` : null;
}

/** @returns null if the text is not a Stripe mandate */
export function parseMandate(mandate: string): Mandate | null {
  const [, customer, paymentMethod] = /^(cus_\w+):(\w+)$/.exec(mandate) ?? [];
  return customer && paymentMethod ? { customer, paymentMethod } : null;
}
