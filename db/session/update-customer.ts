/** A person's change to the details of a customer that the next invoice prints. */
import { z } from 'zod';
import { type FoundCustomer, foundCustomer } from '../../contract/merchant/customers.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { type Pool, sql } from '../core/pool.ts';
import { FOUND_CUSTOMER } from '../merchant/search-customers.ts';
import { type Party, setParty } from './core/buyer-details.ts';

export interface CustomerRef {
  readonly merchantId: string;
  readonly customerId: string;
}

const found = foundCustomer.extend({ environment: z.string() });

/**
 * Changes the customer, with an audit row of the old and the new values, which an erasure removes.
 *
 * @param party null changes nothing
 * @returns `customer_not_found` even for an erased customer, whose data must not return
 */
export function updateCustomer(
  pool: Pool,
  { merchantId, customerId }: CustomerRef,
  party: Party | null,
  actor: Actor,
): Promise<FoundCustomer | 'customer_not_found'> {
  return pool.transaction(async (tx) => {
    const read = () =>
      tx.maybeOne(sql.type(found)`
        select environment, ${FOUND_CUSTOMER}
        where customers.id = ${customerId} and customers.merchant_id = ${merchantId} and erased_at is null
        for no key update of customers`);
    const before = await read();
    if (!before) return 'customer_not_found';
    const { environment, ...unchanged } = before;
    if (!party) return unchanged;
    await tx.query(sql.typeAlias('void')`${setParty(customerId, party)}`);
    const { environment: _same, ...after } = (await read()) ?? before;
    const changed = PARTY_FIELDS.filter(
      (name) => JSON.stringify(unchanged[name]) !== JSON.stringify(after[name]),
    );
    if (changed.length === 0) return after;
    const valuesOf = (all: FoundCustomer) => Object.fromEntries(changed.map((name) => [name, all[name]]));
    await writeAudit(tx, {
      ...actor,
      merchantId,
      environment,
      action: 'customer.update',
      subjectId: customerId,
      before: valuesOf(unchanged),
      after: valuesOf(after),
    });
    return after;
  });
}

const PARTY_FIELDS = ['name', 'billing_details', 'tax_value', 'tax_type'] as const;
