/**
 * Lists ordered by id, below `/v1/merchants/:merchantId`:
 * GET …/search/checkouts and …/exports/checkouts
 * GET …/search/customers
 * GET …/search/subscriptions and …/exports/subscriptions
 * GET …/search/invoices and …/exports/invoices
 * GET …/search/credit-notes and …/exports/credit-notes
 *
 * The others are in `api/payment/search-payments.ts`, `api/refund/search-refunds.ts` and
 * `api/dispute/search-disputes.ts`.
 */
import { pageOf } from '../contract/core/answers.ts';
import { pageQuery } from '../contract/core/pages.ts';
import { type CreditNote, creditNote, exampleCreditNote } from '../contract/invoice/credit-note.ts';
import type { Invoice } from '../contract/invoice/resources.ts';
import {
  exampleFoundInvoice,
  type FoundInvoice,
  foundInvoicePage,
  searchCreditNotesQuery,
  searchInvoicesQuery,
} from '../contract/invoice/search.ts';
import { exampleFoundCustomer, foundCustomerPage } from '../contract/merchant/customers.ts';
import {
  exampleFoundCheckout,
  type FoundCheckout,
  foundCheckoutPage,
  searchCheckoutsQuery,
} from '../contract/session/search.ts';
import {
  exampleFoundSubscription,
  type FoundSubscription,
  foundSubscriptionPage,
  searchSubscriptionsQuery,
} from '../contract/subscription/search.ts';
import { searchCreditNotes } from '../db/invoice/search-credit-notes.ts';
import { searchInvoices } from '../db/invoice/search-invoices.ts';
import { searchCustomers } from '../db/merchant/search-customers.ts';
import { searchSessions } from '../db/session/search-sessions.ts';
import { searchSubscriptions } from '../db/subscription/search-subscriptions.ts';
import type { MerchantGate } from './http/auth/merchant-gate.ts';
import type { ApiContext } from './http/context.ts';
import { searchedList } from './http/lists/searched-list.ts';
import { type CsvColumns, decimal } from './http/lists/send-csv.ts';
import type { Route } from './http/route.ts';
import { withoutLink } from './subscription/shown-subscription.ts';

const creditNotePage = pageOf(creditNote);

const CHECKOUT_COLUMNS: CsvColumns<FoundCheckout> = {
  id: ({ id }) => id,
  created_at: (row) => row.created_at,
  state: ({ state }) => state,
  failure_reason: (row) => row.failure_reason,
  amount: ({ amount }) => decimal(amount),
  currency: ({ currency }) => currency,
  product_id: (row) => row.product_id,
  product_name: (row) => row.product_name,
  merchant_reference: (row) => row.merchant_reference,
  customer_id: (row) => row.customer_id,
  email: ({ customer }) => customer.email,
  payment_id: (row) => row.payment_id,
  finished_at: (row) => row.finished_at,
};
const SUBSCRIPTION_COLUMNS: CsvColumns<FoundSubscription> = {
  id: ({ id }) => id,
  created_at: (row) => row.created_at,
  status: ({ status }) => status,
  plan_id: ({ plan }) => plan.id,
  plan_name: ({ plan }) => plan.name,
  amount: ({ amount }) => decimal(amount),
  currency: ({ currency }) => currency,
  customer_id: (row) => row.customer_id,
  email: ({ customer }) => customer.email,
  current_period_start: (row) => row.current_period_start,
  current_period_end: (row) => row.current_period_end,
  next_charge_at: (row) => row.next_charge_at,
  cancel_at_period_end: (row) => String(row.cancel_at_period_end),
  cancelled_at: (row) => row.cancelled_at,
};
type Document = Pick<Invoice, 'line_items' | 'currency' | 'customer_id' | 'customer'>;
const sumOf = ({ line_items: lines }: Document, value: (line: Document['line_items'][number]) => number) =>
  decimal(lines.reduce((total, line) => total + value(line), 0));
/** The columns that an accountant books. */
const DOCUMENT_COLUMNS: CsvColumns<Document> = {
  net: (row) => sumOf(row, (line) => line.amount - line.tax_amount),
  tax_rates: (row) => [...new Set(row.line_items.map((line) => line.tax_rate))].join(' '),
  tax: (row) => sumOf(row, (line) => line.tax_amount),
  total: (row) => sumOf(row, ({ amount }) => amount),
  currency: ({ currency }) => currency,
  customer_id: (row) => row.customer_id,
  email: ({ customer }) => customer.email,
  name: ({ customer }) => customer.name,
  country: ({ customer }) => customer.billing_details?.country ?? null,
  tax_value: ({ customer }) => customer.tax_value,
};
const INVOICE_COLUMNS: CsvColumns<FoundInvoice> = {
  id: ({ id }) => id,
  number: ({ number }) => number,
  issued_at: (row) => row.issued_at,
  issued_on: (row) => row.issued_on,
  status: ({ status }) => status,
  ...DOCUMENT_COLUMNS,
  paid: (row) => (row.status === 'created' ? sumOf(row, ({ amount }) => amount) : decimal(0)),
  amount_due: (row) => decimal(row.amount_due),
  credited: (row) => decimal(row.credited_amount),
  credit_notes: (row) => row.credit_notes.join(' '),
  refunded: (row) => decimal(row.refunded_amount),
  reverses_credit_note_id: (row) => row.reverses_credit_note_id,
  payment_id: (row) => row.payment_id,
  order_id: (row) => row.order_id,
  subscription_id: (row) => row.subscription_id,
};
const CREDIT_NOTE_COLUMNS: CsvColumns<CreditNote> = {
  id: ({ id }) => id,
  number: ({ number }) => number,
  issued_at: (row) => row.issued_at,
  issued_on: (row) => row.issued_on,
  invoice_id: (row) => row.invoice_id,
  invoice_number: (row) => row.invoice_number,
  reason: ({ reason }) => reason,
  ...DOCUMENT_COLUMNS,
  payment_id: (row) => row.payment_id,
  refund_id: (row) => row.refund_id,
  order_id: (row) => row.order_id,
  subscription_id: (row) => row.subscription_id,
};

export function searchesAndExports(context: ApiContext, gate: MerchantGate): readonly Route[] {
  const { publicUrl } = context.config.api;
  const subscriptions = async (...asked: Parameters<typeof searchSubscriptions>) =>
    (await searchSubscriptions(...asked)).map(withoutLink);
  return [
    ...searchedList(context, gate, {
      name: 'checkouts',
      query: searchCheckoutsQuery,
      search: searchSessions,
      page: {
        operationId: 'searchCheckouts',
        summary: 'Search checkouts',
        description:
          'Newest first, paginated. `q`: an id of a checkout, payment or customer, an email, a merchant or customer reference, an amount.',
        schema: foundCheckoutPage,
        example: exampleFoundCheckout,
      },
      csv: { operationId: 'exportCheckouts', columns: CHECKOUT_COLUMNS },
    }),
    ...searchedList(context, gate, {
      name: 'customers',
      query: pageQuery,
      search: searchCustomers,
      page: {
        operationId: 'searchCustomers',
        summary: 'Search customers',
        description: 'Newest first, paginated. `q`: an id, an email or your customer reference.',
        schema: foundCustomerPage,
        example: exampleFoundCustomer,
      },
    }),
    ...searchedList(context, gate, {
      name: 'subscriptions',
      query: searchSubscriptionsQuery,
      search: subscriptions,
      page: {
        operationId: 'searchSubscriptions',
        summary: 'Search subscriptions',
        description:
          'Newest first, paginated. `q`: an id of a subscription, checkout or customer, an email, a merchant or customer reference.',
        schema: foundSubscriptionPage,
        example: exampleFoundSubscription,
      },
      csv: { operationId: 'exportSubscriptions', columns: SUBSCRIPTION_COLUMNS },
    }),
    ...searchedList(context, gate, {
      name: 'invoices',
      query: searchInvoicesQuery,
      search: searchInvoices(publicUrl),
      page: {
        operationId: 'searchInvoices',
        summary: 'Search invoices',
        description:
          'Newest first, paginated. `q`: a number or its end, an id of an invoice, order, subscription or customer, an email, a merchant or customer reference, an amount.',
        schema: foundInvoicePage,
        example: exampleFoundInvoice,
      },
      csv: { operationId: 'exportInvoices', columns: INVOICE_COLUMNS },
    }),
    ...searchedList(context, gate, {
      name: 'credit-notes',
      query: searchCreditNotesQuery,
      search: searchCreditNotes(publicUrl),
      page: {
        operationId: 'searchCreditNotes',
        summary: 'Search credit notes',
        description:
          'Newest first, paginated. `q`: the number of a credit note or the end of it, its invoice’s number, an id of a credit note, invoice, refund, payment or customer, an email, a customer reference.',
        schema: creditNotePage,
        example: exampleCreditNote,
      },
      csv: { operationId: 'exportCreditNotes', columns: CREDIT_NOTE_COLUMNS },
    }),
  ];
}
