/** The customer of a request as stored: absent values are null. */
import type { CheckoutRequest } from '../../contract/session/checkout.ts';
import type { CustomerPrefill } from '../../db/session/create-session.ts';

export function customerPrefill(customer: CheckoutRequest['customer']): CustomerPrefill {
  return {
    email: customer?.email ?? null,
    name: customer?.name ?? null,
    billingDetails: customer?.billingDetails ? nullsForAbsent(customer.billingDetails) : null,
    taxValue: customer?.tax?.value ?? null,
    taxType: customer?.tax?.type ?? null,
  };
}

function nullsForAbsent(details: NonNullable<NonNullable<CheckoutRequest['customer']>['billingDetails']>) {
  const {
    line1 = null,
    line2 = null,
    city = null,
    region = null,
    postal_code = null,
    country = null,
  } = details;
  return { line1, line2, city, region, postal_code, country };
}
