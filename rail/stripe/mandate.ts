/** A stored card that may be charged without the buyer: a customer of Stripe's and a payment method of theirs. */
import type { Intent } from './intent.ts';

export interface Mandate {
  readonly customer: string;
  readonly paymentMethod: string;
}

export function mandateOf({ savesMandate, customerId, methodId }: Intent): string | null {
  return savesMandate && customerId && methodId ? `${customerId}:${methodId}` : null;
}

/** @returns null for what is no mandate of Stripe's */
export function parseMandate(mandate: string): Mandate | null {
  const [, customer, paymentMethod] = /^(cus_\w+):(\w+)$/.exec(mandate) ?? [];
  return customer && paymentMethod ? { customer, paymentMethod } : null;
}
