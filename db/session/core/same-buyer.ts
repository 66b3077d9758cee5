/** Decides which customers count as one buyer, for limits per buyer. */
import type { Scope } from '../../../domain/core/environment.ts';
import { type Fragment, sql } from '../../core/pool.ts';

/** Selects the email given for the purchase, or else the one that the customer has confirmed. */
export function emailOf(customer: Fragment, email: string | null): Fragment {
  return sql.fragment`lower(coalesce(${email}::text,
    (select email from customers where id = ${customer} and email_confirmed_at is not null)))`;
}

/** Selects the ids of the customer, and of customers who have confirmed the same email. */
export function sameBuyer(
  { merchantId, environment }: Scope,
  customer: Fragment,
  email: string | null,
): Fragment {
  return sql.fragment`
    select ${customer}
    union all
    select id from customers where merchant_id = ${merchantId} and environment = ${environment}
      and email_confirmed_at is not null and lower(email) = ${emailOf(customer, email)}`;
}
