/**
 * A request's details about its buyer. They are stored with the session (`checkouts.buyer`) and become the customer's
 * when the session succeeds, so that an unpaid session changes neither the customer nor another session's invoice.
 */
import { sql } from '../../core/pool.ts';

/** Name, address and tax id are replaced together; if all are null, they are cleared. */
export type Party = Partial<Record<'name' | 'billing_details' | 'tax_value' | 'tax_type', unknown>>;

export interface BuyerDetails {
  readonly email: string | null;
  /** Null leaves the customer's name, address and tax id unchanged. */
  readonly party: Party | null;
}

export function storedDetails({ email, party }: BuyerDetails) {
  const details = email === null && party === null ? null : { ...(email !== null && { email }), ...party };
  return sql.fragment`${details && JSON.stringify(details)}::jsonb`;
}

/** Selects the email for session `c` and its customer `u`: one given by the merchant never replaces a confirmed one. */
export const emailOfBuyer = sql.fragment`
  case when u.email_confirmed_at is null then coalesce(c.buyer ->> 'email', u.email) else u.email end`;

/** Selects the buyer's name from session `c` or customer `u`. */
export const nameOfBuyer = sql.fragment`case when c.buyer ? 'name' then c.buyer ->> 'name' else u.name end`;

const given = (column: string) => sql.fragment`
  case when c.buyer ? ${column} then c.buyer ->> ${column} else u.${sql.identifier([column])} end`;

/** Assigns name, address and tax id of the details `c.buyer` to customer `u`. */
const partyOfBuyer = sql.fragment`name = ${nameOfBuyer},
  billing_details = case when c.buyer ? 'billing_details' then nullif(c.buyer -> 'billing_details', 'null')
    else u.billing_details end,
  tax_value = ${given('tax_value')}, tax_type = ${given('tax_type')}, updated_at = service_clock()`;

/** Replaces name, address and tax id of a customer, whose row is locked. */
export function setParty(customerId: string, party: Party) {
  return sql.fragment`
    update customers u set ${partyOfBuyer}
    from (select ${JSON.stringify(party)}::jsonb as buyer) c
    where u.id = ${customerId}`;
}

/**
 * Updates the customer with the session's details, and with the email that its buyer typed, in case a click in another
 * session has replaced that email. Locks the customer's row if the session has a name, address or tax id, so that no
 * other session changes the row before this session's invoice is issued.
 */
export function adoptDetails(checkoutId: string) {
  return sql.fragment`
    update customers u set email = coalesce(typed.email, ${emailOfBuyer}), ${partyOfBuyer}
    from checkouts c left join lateral (
      select email from clicks where checkout_id = c.id and email is not null order by created_at desc limit 1
    ) typed on true
    where c.id = ${checkoutId} and u.id = c.customer_id
      and (c.buyer - 'email' <> '{}' or coalesce(typed.email, ${emailOfBuyer}) is distinct from u.email)
    returning u.id, u.email`;
}
