/**
 * Errors for fields that several routes share; each route adds its own prefix (`checkout_email_invalid`,
 * `payment_method_change_email_invalid`).
 */
import type { Fault } from './faults.ts';

export interface ErrorDefinition {
  readonly status: number;
  readonly message: string;
  /** The fault, if the code is always about the same field. A violation of a request's schema has its own fault. */
  readonly fault?: Fault;
}

const requiredError = (field: string) => ({ status: 400, message: `${field} is required.` }) as const;
const objectError = (field: string) => ({ status: 400, message: `${field} must be an object.` }) as const;
const stringError = (field: string, length: number) =>
  ({ status: 400, message: `${field} must be a string of at most ${length} characters.` }) as const;
const browserUrlError = (field: string) =>
  ({
    status: 400,
    message: `${field} must be an https URL (http only for localhost or 127.0.0.1) of at most 500 characters.`,
  }) as const;

/** Errors for the buyer and the return URLs, on every route that opens a hosted page. */
const HOSTED_PAGE_FIELDS = {
  externalCustomerId_required: requiredError('externalCustomerId'),
  externalCustomerId_invalid: stringError('externalCustomerId', 160),
  customer_invalid: objectError('customer'),
  email_invalid: {
    status: 400,
    message: 'customer.email must be an email address of at most 320 characters.',
  },
  name_invalid: stringError('customer.name', 160),
  billingDetails_invalid: objectError('customer.billingDetails'),
  line1_invalid: stringError('line1', 200),
  line2_invalid: stringError('line2', 200),
  city_invalid: stringError('city', 200),
  region_invalid: stringError('region', 200),
  postal_code_invalid: stringError('postal_code', 200),
  country_invalid: stringError('country', 200),
  tax_invalid: objectError('customer.tax'),
  value_invalid: stringError('customer.tax.value', 200),
  type_invalid: stringError('customer.tax.type', 200),
  successUrl_invalid: browserUrlError('successUrl'),
  failUrl_invalid: browserUrlError('failUrl'),
} as const;

type HostedPageFieldErrors<Prefix extends string> = {
  readonly [Code in keyof typeof HOSTED_PAGE_FIELDS as `${Prefix}_${Code}`]: ErrorDefinition;
};

export function hostedPageFieldErrors<Prefix extends string>(prefix: Prefix): HostedPageFieldErrors<Prefix> {
  const prefixed = Object.entries(HOSTED_PAGE_FIELDS).map(([code, error]) => [`${prefix}_${code}`, error]);
  return Object.fromEntries(prefixed) as HostedPageFieldErrors<Prefix>;
}
