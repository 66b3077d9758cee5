/** The customers that a search names, as a fragment that selects their ids through indexes. */
import type { Scope } from '../../domain/environment.ts';
import type { SearchTerm } from '../../domain/search.ts';
import { sql } from './pool.ts';

export function customersNamed({ merchantId, environment }: Scope, term: SearchTerm) {
  const ofScope = sql.fragment`merchant_id = ${merchantId} and environment = ${environment}`;
  switch (term.kind) {
    case 'id':
      return sql.fragment`select id from customers where ${ofScope} and id = ${term.id}`;
    case 'email':
      return sql.fragment`select id from customers where ${ofScope} and lower(email) = ${term.email}`;
    default:
      return sql.fragment`select id from customers where ${ofScope} and external_customer_id = ${term.text}`;
  }
}

/** What a search of one environment's list is narrowed by. */
export interface ListSearch {
  readonly scope: Scope;
  readonly term: SearchTerm | null;
  readonly status: string | null;
  /** The last id of the previous page. */
  readonly after: string | null;
  readonly limit: number;
}
