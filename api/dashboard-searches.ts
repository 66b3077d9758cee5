/** The dashboard's lists that are ordered by id. */
import { pageOf, pageQuery } from '../contract/core/pages.ts';
import { exampleInvoice, invoice } from '../contract/invoice/resources.ts';
import { exampleFoundCustomer, foundCustomerPage } from '../contract/merchant/customers.ts';
import { exampleFoundCheckout, foundCheckoutPage, searchCheckoutsQuery } from '../contract/session/search.ts';
import {
  exampleFoundSubscription,
  foundSubscriptionPage,
  searchSubscriptionsQuery,
} from '../contract/subscription/search.ts';
import { searchInvoices } from '../db/invoice/search-invoices.ts';
import { searchCustomers } from '../db/merchant/search-customers.ts';
import { searchCheckouts } from '../db/session/search-checkouts.ts';
import { searchSubscriptions } from '../db/subscription/search-subscriptions.ts';
import type { ApiContext } from './http/context.ts';
import type { MerchantGate } from './http/merchant-gate.ts';
import type { Route } from './http/route.ts';
import { searchRoute } from './http/search-route.ts';

const invoicesQuery = pageQuery.extend({ status: invoice.shape.status.optional() });
const invoicePage = pageOf(invoice).meta({ id: 'InvoicePage' });

export function dashboardSearches(context: ApiContext, gate: MerchantGate): readonly Route[] {
  const { publicUrl } = context.config.api;
  return [
    searchRoute(context, gate, {
      name: 'checkouts',
      operationId: 'searchCheckouts',
      summary: 'Search checkouts',
      description:
        '`q`: an id of a checkout, payment or customer, an email, a merchant or customer reference.',
      query: searchCheckoutsQuery,
      page: foundCheckoutPage,
      example: exampleFoundCheckout,
      search: searchCheckouts,
    }),
    searchRoute(context, gate, {
      name: 'customers',
      operationId: 'searchCustomers',
      summary: 'Search customers',
      description: '`q`: an id, an email or your customer reference.',
      query: pageQuery,
      page: foundCustomerPage,
      example: exampleFoundCustomer,
      search: searchCustomers,
    }),
    searchRoute(context, gate, {
      name: 'subscriptions',
      operationId: 'searchSubscriptions',
      summary: 'Search subscriptions',
      description: '`q`: an id of a subscription, checkout or customer, an email or your customer reference.',
      query: searchSubscriptionsQuery,
      page: foundSubscriptionPage,
      example: exampleFoundSubscription,
      search: searchSubscriptions,
    }),
    searchRoute(context, gate, {
      name: 'invoices',
      operationId: 'searchInvoices',
      summary: 'Search invoices',
      description:
        '`q`: a number, an id of an invoice, order, subscription or customer, an email or your customer reference.',
      query: invoicesQuery,
      page: invoicePage,
      example: exampleInvoice,
      search: searchInvoices(publicUrl),
    }),
  ];
}
