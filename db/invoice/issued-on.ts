/** The day of issue, in the merchant's time zone at issue. */
import { sql } from '../core/pool.ts';

export const issuedOn = (invoice: string) => {
  const column = (name: string) => sql.identifier([invoice, name]);
  return sql.fragment`
    to_char(${column('issued_at')} at time zone ${column('time_zone')}, 'YYYY-MM-DD') as issued_on`;
};
