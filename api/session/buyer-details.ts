/** Converts a request's customer to the form that its session stores. */
import type { CheckoutRequest } from '../../contract/session/checkout.ts';
import type { BuyerDetails, Party } from '../../db/session/core/buyer-details.ts';

type Customer = CheckoutRequest['customer'];

export const NO_DETAILS: BuyerDetails = { email: null, party: null };

export function buyerDetails(customer: Customer): BuyerDetails {
  return { email: customer?.email ?? null, party: customer ? partyOf(customer) : null };
}

/**
 * Returns the complete set of fields if any value is given, only the fields to clear if all given values are null, and
 * null if no field is given.
 */
export function partyOf({
  name,
  billingDetails,
  tax,
}: Pick<NonNullable<Customer>, 'name' | 'billingDetails' | 'tax'>): Party | null {
  const taxValue = tax?.value ?? null;
  const named: Party = {
    ...(name !== undefined && { name }),
    ...(billingDetails !== undefined && { billing_details: addressOf(billingDetails) }),
    ...(tax !== undefined && { tax_value: taxValue, tax_type: taxValue && (tax?.type ?? null) }),
  };
  const values = Object.values(named);
  if (values.every((value) => value === null)) return values.length > 0 ? named : null;
  return { name: null, billing_details: null, tax_value: null, tax_type: null, ...named };
}

function addressOf(details: NonNullable<Customer>['billingDetails']) {
  const {
    line1 = null,
    line2 = null,
    city = null,
    region = null,
    postal_code = null,
    country = null,
  } = details ?? {};
  const address = { line1, line2, city, region, postal_code, country };
  return Object.values(address).some((line) => line !== null) ? address : null;
}
